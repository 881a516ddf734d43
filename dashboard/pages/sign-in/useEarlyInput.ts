import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { takeAhead } from '../../session/ahead.ts';

/** Restores input made in the static sign-in form before the app loaded: text, focus and a pressed button. */
export function useEarlyInput(onTyped: (typed: { email: string; password: string }) => void): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const [pressed, setPressed] = useState<number>();
  const restore = useRef(onTyped);
  // A layout effect, to restore before the first paint.
  useLayoutEffect(() => {
    const early = takeAhead();
    if (!early) return;
    const { email, password, focused } = early;
    if (email || password) restore.current({ email, password });
    if (focused !== undefined) elementOf(form, focused)?.focus();
    setPressed(early.pressed);
  }, []);
  // Press the button once the fields have the text.
  useEffect(() => {
    if (pressed === undefined) return;
    setPressed(undefined);
    const button = elementOf(form, pressed);
    // Mantine's password toggle listens only to mousedown.
    button?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
    button?.click();
  }, [pressed]);
  return form;
}

function elementOf({ current }: RefObject<HTMLFormElement | null>, index: number): HTMLElement | undefined {
  const element = current?.elements[index];
  return element instanceof HTMLElement ? element : undefined;
}
