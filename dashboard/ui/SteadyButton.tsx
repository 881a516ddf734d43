import { type ComponentProps, type RefObject, useEffect, useRef, useState } from 'react';
import { CHECKED, focusFirstWrong } from './forms/wrong-field.ts';
import { useMergedRef } from './theme/mantine.ts';

interface SteadyButtonProps extends ComponentProps<'button'> {
  /** The kit's mark of a button that works. */
  readonly 'data-loading'?: boolean;
}

/**
 * The element of the kit's buttons. One that goes off while it has the focus keeps it, says that it is off, and does nothing:
 * disabled, it would lose the focus to the page. Once a form is refused, its first field that is wrong has the focus.
 */
export function SteadyButton({ ref, disabled = false, type = 'button', onClick, onFocus, onBlur, ...rest }: SteadyButtonProps) {
  const own = useRef<HTMLButtonElement>(null);
  const [hasFocus, setFocus] = useState(false);
  useFocusOnRefusal(own, rest['data-loading'] === true);
  return (
    <button
      {...rest}
      ref={useMergedRef(own, ref)}
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

/** What is wrong is known once the button has done its work. Whoever went on to something else meanwhile is left there. */
function useFocusOnRefusal(button: RefObject<HTMLButtonElement | null>, isWorking: boolean): void {
  const place = useRef<Element | null>(null);
  useEffect(() => {
    if (isWorking) {
      place.current = document.activeElement;
      return;
    }
    if (place.current && [place.current, document.body].includes(document.activeElement ?? document.body)) {
      const { current } = button;
      focusFirstWrong(current?.type === 'submit' ? current.form : current?.closest(`[${CHECKED}]`));
    }
    place.current = null;
  }, [isWorking, button]);
}
