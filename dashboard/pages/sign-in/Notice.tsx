import { IconChevronLeft } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Button } from '../../ui/mantine.ts';
import { useTitle } from '../../ui/useTitle.ts';
import styles from './SignIn.module.css';

interface NoticeProps {
  readonly title: string;
  readonly text: string;
  readonly onBack: () => void;
}

/** Whom to ask for what this page cannot give, and the way back. */
export function Notice({ title, text, onBack }: NoticeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title);
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
        {title}
      </h1>
      <p>{text}</p>
    </div>
  );
}
