import { Link } from '@react-email/components';
import type { Mails } from '#contract/mail.ts';
import { URGENT_BELOW } from '#contract/rating.ts';
import { Frame } from '../Frame.tsx';
import { Action, Paragraph, Quiet, Title } from '../parts.tsx';
import { Rated } from '../Rated.tsx';
import { LIGHT as c, DARK_MODE_CLASSES as dark } from '../theme.ts';

const TITLES: Readonly<Record<Mails['urgent-feedback']['about'], string>> = {
  new: 'A visitor needs an answer',
  added: 'The visitor added something',
  unopened: 'Nobody has opened this yet',
};

/** For the team itself, so it may say first what matters. What visitors wrote is shown as they wrote it, and as text only. */
export function UrgentFeedback({ about, place, placement, rating, text, contact, when, link, take, leave }: Mails['urgent-feedback']) {
  return (
    <Frame
      title={TITLES[about]}
      preview={rating < URGENT_BELOW ? 'Somebody was unhappy with their visit.' : 'Somebody asks to be contacted.'}
      why={
        about === 'unopened'
          ? 'You’re getting this because you are next to hear of this property’s urgent feedback when nobody opens it.'
          : 'You’re getting this because you follow this property’s urgent feedback.'
      }
      leave={leave}
    >
      <Title>{TITLES[about]}</Title>
      <Rated rating={rating} place={placement === undefined ? place : `${place}, ${placement}`} />
      {text && <Paragraph>“{text}”</Paragraph>}
      {contact && <Contact {...contact} />}
      <Quiet>{when}</Quiet>
      <Action to={link}>Open the feedback</Action>
      <Paragraph>Or say that you look after it, without signing in. This works once, for three days.</Paragraph>
      <Action to={take}>I’m on it</Action>
    </Frame>
  );
}

/** Addresses that visitors typed lead nowhere but to a mail program or a telephone. */
function Contact({ name, phone, email }: NonNullable<Mails['urgent-feedback']['contact']>) {
  return (
    <Paragraph>
      Please contact{name && ` ${name}`}:
      {phone && (
        <>
          <br />
          <ContactLink to={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</ContactLink>
        </>
      )}
      {email && (
        <>
          <br />
          <ContactLink to={`mailto:${email.split('@').map(encodeURIComponent).join('@')}`}>{email}</ContactLink>
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
