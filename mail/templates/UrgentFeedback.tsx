import type { Mails } from '#contract/mail/mail.ts';
import { Contact } from '../Contact.tsx';
import { Frame } from '../Frame.tsx';
import { Action, Paragraph, Quiet, Quote, Title } from '../parts.tsx';
import { RatingLine } from '../RatingLine.tsx';

const TITLES: Readonly<Record<Mails['urgent-feedback']['about'], string>> = {
  new: 'A visitor needs an answer',
  added: 'The visitor added something',
  unopened: 'Not opened yet',
  message: 'A visitor wrote to you',
};

/** An alert for the team. Visitors' words are shown as written, and as text only. */
export function UrgentFeedback({ about, place, placement, rating, text, contact, when, link, take, leave }: Mails['urgent-feedback']) {
  const title = contact && about === 'new' ? 'A visitor wants to be contacted' : TITLES[about];
  return (
    <Frame
      title={title}
      preview={contact ? 'A visitor wants to be contacted.' : 'A visitor was unhappy with their visit.'}
      why={
        leave === undefined
          ? 'You’re getting this because this property’s urgent feedback is escalated to you.'
          : 'You’re getting this because you follow this property’s urgent feedback.'
      }
      leave={leave}
    >
      <Title>{title}</Title>
      {text && <Quote>{text}</Quote>}
      <RatingLine rating={rating} place={placement === undefined ? place : `${place}, ${placement}`} />
      {contact && <Contact {...contact} />}
      <Quiet>{when}</Quiet>
      <Action to={link}>Open the feedback</Action>
      <Paragraph>Or take it without signing in. This works once, for three days.</Paragraph>
      <Action to={take}>I’m on it</Action>
    </Frame>
  );
}
