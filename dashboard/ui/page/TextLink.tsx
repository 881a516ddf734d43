import { IconChevronLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from '../forms/Form.module.css';
import { Button } from '../theme/mantine.ts';

interface TextLinkProps {
  /** Lets the focus return to it. */
  readonly id?: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A button that looks like a link, for switching views of the same page. */
export const TextLink = ({ id, onClick, children }: TextLinkProps) => (
  <button id={id} type="button" className={`${styles['link']} touch-link`} onClick={onClick}>
    {children}
  </button>
);

/** A link to the previous view, above a panel's heading. */
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
