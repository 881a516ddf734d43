import { useEffect, useRef } from 'react';
import { useTitle } from './useTitle.ts';

/** The heading of a view that took another's place: it takes the focus too, and names the page. */
export function Heading({ children, takesFocus = true }: { children: string; takesFocus?: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(children);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
