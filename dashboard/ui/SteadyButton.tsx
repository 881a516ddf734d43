import { type ComponentProps, type RefObject, useEffect, useRef, useState } from 'react';
import { FIELD_GROUP, focusFirstInvalid } from './forms/invalid-field.ts';
import { useMergedRef } from './theme/mantine.ts';

interface SteadyButtonProps extends ComponentProps<'button'> {
  /** Set by Mantine while the button is loading. */
  readonly 'data-loading'?: boolean;
}

/**
 * The element of Mantine's buttons. If it is disabled while it has the focus, it keeps the focus and uses `aria-disabled`: a
 * disabled button would lose it. After a form is refused, the focus moves to its first invalid field.
 */
export function SteadyButton({ ref, disabled = false, type = 'button', onClick, onFocus, onBlur, ...rest }: SteadyButtonProps) {
  const buttonRef = useRef<HTMLButtonElement>(null);
  const [hasFocus, setFocus] = useState(false);
  useFocusOnRefusal(buttonRef, rest['data-loading'] === true);
  return (
    <button
      {...rest}
      ref={useMergedRef(buttonRef, ref)}
      type={type}
      disabled={disabled && !hasFocus}
      aria-disabled={disabled && hasFocus ? true : rest['aria-disabled']}
      onClick={disabled ? (event) => event.preventDefault() : onClick}
      onFocus={(event) => {
        setFocus(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setFocus(false);
        onBlur?.(event);
      }}
    />
  );
}

/** Focuses the first invalid field after the action ends, unless the focus has moved elsewhere. */
function useFocusOnRefusal(button: RefObject<HTMLButtonElement | null>, isWorking: boolean): void {
  const startElement = useRef<Element | null>(null);
  useEffect(() => {
    if (isWorking) {
      startElement.current = document.activeElement;
      return;
    }
    if (startElement.current && [startElement.current, document.body].includes(document.activeElement ?? document.body)) {
      const { current } = button;
      focusFirstInvalid(current?.type === 'submit' ? current.form : current?.closest(`[${FIELD_GROUP}]`));
    }
    startElement.current = null;
  }, [isWorking, button]);
}
