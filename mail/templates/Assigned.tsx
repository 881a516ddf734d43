import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Title } from '../parts.tsx';

export function Assigned({ by, place, count, link }: Mails['assigned']) {
  const isOne = count === 1;
  return (
    <Frame
      title="Feedback was assigned to you"
      preview={isOne ? 'A visitor’s feedback is now assigned to you.' : `${count} feedback items are now assigned to you.`}
      why="You’re getting this because a teammate assigned feedback to you."
    >
      <Title>Feedback was assigned to you</Title>
      <Paragraph>
        {isOne ? 'A visitor’s feedback is' : `${count} feedback items are`} now assigned to you. Read what visitors wrote in Afterword.
      </Paragraph>
      <Details of={{ 'Assigned by': by, ...(isOne && { Property: place }) }} />
      <Action to={link}>{isOne ? 'Read the feedback' : 'See what is assigned to you'}</Action>
    </Frame>
  );
}
