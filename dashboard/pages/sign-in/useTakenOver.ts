import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { takeAhead } from '../../session/ahead.ts';

/** Goes on with what was done to the sign-in that the document showed: what was typed, where, and which button was pressed. */
export function useTakenOver(onTyped: (typed: { email: string; password: string }) => void): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const [pressed, setPressed] = useState<number>();
  const take = useRef(onTyped);
  // Before anything is painted.
  useLayoutEffect(() => {
    const done = takeAhead();
    if (!done) return;
    const { email, password, focused } = done;
    if (email || password) take.current({ email, password });
    if (focused !== undefined) elementOf(form, focused)?.focus();
    setPressed(done.pressed);
  }, []);
  // Once what was typed is in the fields.
  useEffect(() => {
    if (pressed === undefined) return;
    setPressed(undefined);
    const button = elementOf(form, pressed);
    // The kit's eye beside a password hears this only.
    button?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
    button?.click();
  }, [pressed]);
  return form;
}

function elementOf({ current }: RefObject<HTMLFormElement | null>, index: number): HTMLElement | undefined {
  const element = current?.elements[index];
  return element instanceof HTMLElement ? element : undefined;
}
