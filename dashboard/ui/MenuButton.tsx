import { type ComponentProps, cloneElement, type ReactElement, useEffect, useState } from 'react';
import { useIsAfterStart } from './hooks.ts';
import type { PressButton } from './layers/OpenedBy.tsx';
import { fetchAhead, Later, loadedLater } from './page/Later.tsx';

const OpenedMenu = loadedLater(() => import('./layers/OpenedBy.tsx'), 'OpenedMenu');
const OpenedPopover = loadedLater(() => import('./layers/OpenedBy.tsx'), 'OpenedPopover');

/** A button that opens a menu. Until it is pressed it is a button only. */
export function MenuButton({ button, ...menu }: ComponentProps<typeof OpenedMenu>) {
  const [isAsked, setAsked] = useState(false);
  return isAsked ? (
    <Later waiting={button}>
      <OpenedMenu button={button} {...menu} />
    </Later>
  ) : (
    unpressed(button, 'menu', () => void fetchAhead(OpenedMenu).then(() => setAsked(true)))
  );
}

/** A button that opens a small window beside it, whose content can close it. */
export function PopoverButton({ button, ...popover }: ComponentProps<typeof OpenedPopover>) {
  const [isAsked, setAsked] = useState(false);
  return isAsked ? (
    <Later waiting={button}>
      <OpenedPopover button={button} {...popover} />
    </Later>
  ) : (
    unpressed(button, 'dialog', () => void fetchAhead(OpenedPopover).then(() => setAsked(true)))
  );
}

const unpressed = (button: ReactElement<PressButton>, opens: 'menu' | 'dialog', onClick: () => void) =>
  cloneElement(button, { 'aria-haspopup': opens, 'aria-expanded': false, onClick });

/** Fetches the parts that open once the page is there, so that they are at hand when they are asked for. */
export function usePreloadedOverlays(): void {
  const isAfterStart = useIsAfterStart();
  useEffect(() => {
    // What did not come is asked for again by the press.
    if (isAfterStart) void fetchAhead(OpenedMenu);
  }, [isAfterStart]);
}
