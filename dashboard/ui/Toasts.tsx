import { IconCircleCheck } from '@tabler/icons-react';
import { useEffect } from 'react';
import { CloseButton } from './mantine.ts';
import styles from './Toasts.module.css';
import { dropToast, useToast } from './toast.ts';

const STAYS_FOR = 6_000;

/** Says what was done, for a while; read out politely. */
export function Toasts() {
  const { text, at } = useToast();
  useEffect(() => {
    if (!at) return;
    const timer = setTimeout(dropToast, STAYS_FOR);
    return () => clearTimeout(timer);
  }, [at]);
  return (
    <div role="status" className={styles['place']}>
      {text && (
        <div className={styles['toast']}>
          <IconCircleCheck size={18} aria-hidden />
          <span>{text}</span>
          <CloseButton aria-label="Dismiss" onClick={dropToast} />
        </div>
      )}
    </div>
  );
}
