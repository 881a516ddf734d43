import { IconChevronLeft } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Button } from '../../ui/mantine.ts';
import { useTitle } from '../../ui/useTitle.ts';
import styles from './SignIn.module.css';

/** Forgot password, until a reset code can be sent: whom to ask. */
export function AskYourTeam({ onBack }: { onBack: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle('Forgot password');
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={styles['form']}>
      <Button
        variant="subtle"
        size="compact-md"
        className={styles['back'] ?? ''}
        leftSection={<IconChevronLeft size={16} aria-hidden />}
        onClick={onBack}
      >
        Sign in
      </Button>
      <h1 ref={heading} tabIndex={-1}>
        Forgot password?
      </h1>
      <p>Ask an admin of your team, or whoever runs this installation, to set a new password for you.</p>
    </div>
  );
}
