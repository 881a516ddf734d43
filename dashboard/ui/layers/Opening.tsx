import { type ReactNode, useEffect, useState } from 'react';
import { Later } from '../page/Later.tsx';

interface OpeningProps {
  readonly isOpen: boolean;
  readonly children: (isOpen: boolean) => ReactNode;
}

/** Renders an overlay only after it was first opened, because a closed one costs as much as an open one. */
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

/** Renders closed first, so that the overlay animates in and remembers where the focus was. */
function FromClosed({ isOpen, children }: OpeningProps) {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return children(isOpen && isMounted);
}
