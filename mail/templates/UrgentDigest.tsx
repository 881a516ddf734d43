import { Link } from '@react-email/components';
import type { Mails } from '#contract/mail/mail.ts';
import { Contact } from '../Contact.tsx';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Quiet, Quote, Title } from '../parts.tsx';
import { RatingLine } from '../RatingLine.tsx';
import { LIGHT as c, DARK_MODE_CLASSES as dark } from '../theme.ts';

const LEADS: Readonly<Record<Mails['urgent-digest']['why'], string>> = {
  quiet: 'This arrived during quiet hours. Visitors who want to be contacted come first, then the longest wait.',
  hour: 'There was too much for separate emails. Visitors who want to be contacted come first, then the longest wait.',
};

/** The alerts that were delayed for a person, as one email. */
export const UrgentDigest = ({ why, places, items, more, link }: Mails['urgent-digest']) => (
  <Frame
    title="Visitors need an answer"
    preview="Urgent feedback that is waiting for your team."
    why="You’re getting this because you follow these properties’ urgent feedback."
  >
    <Title>Visitors need an answer</Title>
    <Paragraph>{LEADS[why]}</Paragraph>
    <Details of={Object.fromEntries(places.map(({ place, count }) => [place, String(count)]))} />
    {items.map(({ place, rating, text, contact, when, link: to }) => (
      <div key={to} style={{ marginTop: 24 }}>
        {text && <Quote>{text}</Quote>}
        <RatingLine rating={rating} place={place} />
        {contact && <Contact {...contact} />}
        <Quiet>
          {when} ·{' '}
          <Link href={to} className={dark.link} style={{ color: c.accent }}>
            Open it
          </Link>
        </Quiet>
      </div>
    ))}
    {more > 0 && <Paragraph>And {more} more.</Paragraph>}
    <Action to={link}>See who is waiting</Action>
  </Frame>
);
