import { IconChevronLeft } from '@tabler/icons-react';
import styles from './BackLink.module.css';
import { Button } from './mantine.ts';

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
