import { type ReactNode, useEffect, useState } from 'react';
import { Later } from '../page/Later.tsx';

interface OpeningProps {
  readonly isOpen: boolean;
  readonly children: (isOpen: boolean) => ReactNode;
}

/** What opens over the page, drawn from the first time on that it is opened: closed, it costs as much as open. */
export function Opening({ isOpen, children }: OpeningProps) {
  const [wasOpened, setWasOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setWasOpened(true);
  if (!wasOpened) return null;
  return (
    <Later>
      <FromClosed isOpen={isOpen}>{children}</FromClosed>
    </Later>
  );
}

/** It is there closed for a moment, so that it slides in and knows where the focus was. */
function FromClosed({ isOpen, children }: OpeningProps) {
  const [isThere, setThere] = useState(false);
  useEffect(() => setThere(true), []);
  return children(isOpen && isThere);
}
