import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../language.ts';
import { Menu } from '../layers/overlays.ts';
import { ActionIcon } from '../theme/mantine.ts';

interface RowMenuProps {
  /** The name of the row's item. */
  readonly name: string;
  /** Why the menu is disabled, as a tooltip. */
  readonly why?: string | undefined;
  /** The button's id, which lets the focus return to it. */
  readonly id?: string;
  readonly children: ReactNode;
}

/** The button and menu with a row's further actions. */
export const RowMenu = ({ name, why, children, ...rest }: RowMenuProps) => (
  <Menu {...rest}>
    <Menu.Target>
      <ActionIcon variant="subtle" size="lg" aria-label={t('More for {name}', { name })} disabled={why !== undefined} title={why}>
        <IconDots size={18} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);
