import { Link } from '@react-email/components';
import type { Mails } from '#contract/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Paragraph, Quiet, Title } from '../parts.tsx';
import { LIGHT as c, DARK_MODE_CLASSES as dark } from '../theme.ts';

/** For the team itself, so it may say first what matters. What visitors wrote is shown as they wrote it, and as text only. */
export function UrgentFeedback({ place, rating, text, contact, when, link }: Mails['urgent-feedback']) {
  return (
    <Frame
      title="A visitor needs an answer"
      preview="Somebody was unhappy, or asks to be contacted."
      why="You get this mail because you follow this property’s urgent feedback."
    >
      <Title>A visitor needs an answer</Title>
      <Paragraph>
        <strong className={dark.danger} style={{ color: c.danger }}>
          {rating} of 5
        </strong>{' '}
        at {place}
      </Paragraph>
      {text && <Paragraph>“{text}”</Paragraph>}
      {contact && <Contact {...contact} />}
      <Quiet>{when}</Quiet>
      <Action to={link}>Open the feedback</Action>
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
          <Link href={`tel:${encodeURIComponent(phone)}`} className={dark.link} style={{ color: c.accent }}>
            {phone}
          </Link>
        </>
      )}
      {email && (
        <>
          <br />
          <Link href={`mailto:${encodeURIComponent(email)}`} className={dark.link} style={{ color: c.accent }}>
            {email}
          </Link>
        </>
      )}
    </Paragraph>
  );
}
