import { cloneElement, type ReactElement, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { Later } from '../page/Later.tsx';
import { useMergedRef } from '../theme/mantine.ts';
import { Menu, Popover } from './overlays.ts';

/** The props set on a button that opens something. */
export interface PressButton {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly onClick?: () => void;
  readonly 'aria-haspopup'?: 'menu' | 'dialog';
  readonly 'aria-expanded'?: boolean;
}

/** Takes the focus and opens on mount, because it replaces the pressed button. */
function useOpening() {
  const target = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    target.current?.focus({ preventScroll: true });
    setOpen(true);
  }, []);
  return { target, isOpen, setOpen };
}

interface OpenedMenuProps {
  readonly button: ReactElement<PressButton>;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A button with a menu that opens on mount. */
export function OpenedMenu({ button, className, children }: OpenedMenuProps) {
  const { target, isOpen, setOpen } = useOpening();
  const ref = useMergedRef(target, button.props.ref);
  return (
    <Menu opened={isOpen} onChange={setOpen}>
      <Menu.Target>{cloneElement(button, { ref })}</Menu.Target>
      <Menu.Dropdown {...(className !== undefined && { className })}>
        <Later>{children}</Later>
      </Menu.Dropdown>
    </Menu>
  );
}

interface OpenedPopoverProps {
  readonly button: ReactElement<PressButton>;
  readonly label: string;
  readonly className?: string;
  readonly position: 'bottom-start' | 'bottom-end';
  readonly children: (close: () => void) => ReactNode;
}

/** A button with a popover that opens on mount. */
export function OpenedPopover({ button, label, className, position, children }: OpenedPopoverProps) {
  const { target, isOpen, setOpen } = useOpening();
  return (
    <Popover opened={isOpen} onChange={setOpen} position={position} trapFocus returnFocus shadow="md">
      <Popover.Target>{cloneElement(button, { ref: target, onClick: () => setOpen(!isOpen) })}</Popover.Target>
      <Popover.Dropdown aria-label={label} {...(className !== undefined && { className })}>
        {children(() => setOpen(false))}
      </Popover.Dropdown>
    </Popover>
  );
}
