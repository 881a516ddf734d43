import { Link } from '@react-email/components';
import { emailLink, phoneLink } from '#contract/core/contact.ts';
import type { UrgentFeedback } from '#contract/mail/mail.ts';
import { useT } from './language.tsx';
import { Paragraph } from './parts.tsx';
import { LIGHT as c, DARK_MODE_CLASSES as dark } from './theme.ts';

/** A visitor's contact details. The links open only a mail app or the phone. */
export function Contact({ name, phone, email }: NonNullable<UrgentFeedback['contact']>) {
  const t = useT();
  return (
    <Paragraph>
      {name ? t('Please contact {name}:', { name }) : t('Please contact:')}
      {phone && (
        <>
          <br />
          <ContactLink to={phoneLink(phone)}>{phone}</ContactLink>
        </>
      )}
      {email && (
        <>
          <br />
          <ContactLink to={emailLink(email)}>{email}</ContactLink>
        </>
      )}
    </Paragraph>
  );
}

const ContactLink = ({ to, children }: { to: string; children: string }) => (
  <Link href={to} className={dark.link} style={{ color: c.accent }}>
    {children}
  </Link>
);
