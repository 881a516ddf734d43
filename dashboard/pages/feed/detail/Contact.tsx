import { IconMail, IconPhone } from '@tabler/icons-react';
import type { Feedback } from '#contract/feedback.ts';
import { Button } from '../../../ui/mantine.ts';
import styles from './Contact.module.css';

/** Who asked to be contacted, and how: one tap calls or writes. */
export function Contact({ contact }: { contact: Feedback['data']['contact'] }) {
  if (!contact) return <p className={styles['contact']}>Wants to be contacted. The details come as soon as the server answers.</p>;
  const { name, phone, email } = contact;
  return (
    <section className={styles['contact']} aria-label="Contact">
      <p>
        <strong>{name ?? 'This visitor'}</strong> wants to be contacted
      </p>
      <div className={styles['ways']}>
        {phone && (
          <Button
            component="a"
            href={`tel:${phone.replace(/[^\d+]/g, '')}`}
            leftSection={<IconPhone size={16} aria-hidden />}
            variant="default"
          >
            {phone}
          </Button>
        )}
        {email && (
          <Button
            component="a"
            href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}
            leftSection={<IconMail size={16} aria-hidden />}
            variant="default"
          >
            {email}
          </Button>
        )}
      </div>
    </section>
  );
}
