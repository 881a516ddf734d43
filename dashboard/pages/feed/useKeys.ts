import { useEffect, useRef } from 'react';
import { useKept } from '../../data/store.ts';
import { type Command, commandOf, type Press } from '../../frame/shortcuts.ts';
import { KEYS_PASS, ROW } from './focus.ts';

/** Turns keys into commands as long as the page is there. A command that was not carried out leaves the key to the browser. */
export function useKeys(obey: (command: Command) => boolean): void {
  const latest = useRef(obey);
  latest.current = obey;
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const isOff = event.key.length === 1 && !useKept.getState().keys;
      const command = event.defaultPrevented || isOff ? undefined : commandOf(pressOf(event));
      if (command && latest.current(command)) event.preventDefault();
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, []);
}

const TAKEN = `input, textarea, select, [contenteditable], [role="menu"], [role="slider"], [role="radiogroup"], [role="dialog"]:not([${KEYS_PASS}])`;

function pressOf({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): Press {
  const element = target instanceof Element ? target : undefined;
  return { key, ctrlKey, metaKey, altKey, isTaken: element?.closest(TAKEN) != null, isOnRow: element?.closest(`[${ROW}]`) != null };
}
