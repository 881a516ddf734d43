import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Title } from '../parts.tsx';

export function Assigned({ by, place, count, link }: Mails['assigned']) {
  const isOne = count === 1;
  return (
    <Frame
      title="Feedback was assigned to you"
      preview={isOne ? 'A visitor’s feedback is yours to look after.' : `${count} pieces of feedback are yours to look after.`}
      why="You’re getting this because a colleague assigned feedback to you."
    >
      <Title>Feedback was assigned to you</Title>
      <Paragraph>
        {isOne ? 'A visitor’s feedback is' : `${count} pieces of feedback are`} yours to look after. What visitors wrote can be read in
        Afterword.
      </Paragraph>
      <Details of={{ 'Assigned by': by, ...(isOne && { Property: place }) }} />
      <Action to={link}>{isOne ? 'Read the feedback' : 'See what is assigned to you'}</Action>
    </Frame>
  );
}
