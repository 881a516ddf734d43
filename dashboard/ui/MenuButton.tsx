import { type ComponentProps, cloneElement, type ReactElement, useEffect, useState } from 'react';
import { useIsAfterStart } from './hooks.ts';
import type { PressButton } from './layers/OpenedBy.tsx';
import { fetchAhead, Later, loadedLater } from './page/Later.tsx';

const OpenedMenu = loadedLater(() => import('./layers/OpenedBy.tsx'), 'OpenedMenu');
const OpenedPopover = loadedLater(() => import('./layers/OpenedBy.tsx'), 'OpenedPopover');

/** A button that opens a menu. The menu's code loads on the first press. */
export function MenuButton({ button, ...menu }: ComponentProps<typeof OpenedMenu>) {
  const [isPressed, setPressed] = useState(false);
  return isPressed ? (
    <Later waiting={button}>
      <OpenedMenu button={button} {...menu} />
    </Later>
  ) : (
    unpressed(button, 'menu', () => void fetchAhead(OpenedMenu).then(() => setPressed(true)))
  );
}

/** A button that opens a popover, which its content can close. */
export function PopoverButton({ button, ...popover }: ComponentProps<typeof OpenedPopover>) {
  const [isPressed, setPressed] = useState(false);
  return isPressed ? (
    <Later waiting={button}>
      <OpenedPopover button={button} {...popover} />
    </Later>
  ) : (
    unpressed(button, 'dialog', () => void fetchAhead(OpenedPopover).then(() => setPressed(true)))
  );
}

const unpressed = (button: ReactElement<PressButton>, opens: 'menu' | 'dialog', onClick: () => void) =>
  cloneElement(button, { 'aria-haspopup': opens, 'aria-expanded': false, onClick });

/** Preloads the overlays after the page has started, so that they open without delay. */
export function usePreloadedOverlays(): void {
  const isAfterStart = useIsAfterStart();
  useEffect(() => {
    // If the preload fails, the press retries it.
    if (isAfterStart) void fetchAhead(OpenedMenu);
  }, [isAfterStart]);
}
