import { IconPlus } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { Button } from './theme/mantine.ts';

interface AddButtonProps extends Pick<ComponentProps<'button'>, 'disabled' | 'aria-describedby' | 'onClick' | 'children'> {
  /** Why nothing can be added, as a tooltip. */
  readonly why: string | undefined;
  readonly variant?: 'default';
}

/** Adds something to a list. */
export const AddButton = ({ why, disabled = false, ...rest }: AddButtonProps) => (
  <Button leftSection={<IconPlus size={16} aria-hidden />} disabled={disabled || why !== undefined} title={why} {...rest} />
);
