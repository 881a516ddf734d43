import { IconChevronLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from '../forms/Form.module.css';
import { Button } from '../theme/mantine.ts';

interface TextLinkProps {
  /** By which the focus finds back to it. */
  readonly id?: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** Leads to another view of the same page: a button that looks like the link it is to people. */
export const TextLink = ({ id, onClick, children }: TextLinkProps) => (
  <button id={id} type="button" className={styles['link']} onClick={onClick}>
    {children}
  </button>
);

/** Back to the view before, above a panel's heading. */
export const BackLink = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <Button
    variant="subtle"
    size="compact-md"
    className={styles['back'] ?? ''}
    leftSection={<IconChevronLeft size={16} aria-hidden />}
    onClick={onClick}
  >
    {children}
  </Button>
);
