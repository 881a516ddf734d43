import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Title } from '../parts.tsx';

export function Mentioned({ by, place, link }: Mails['mentioned']) {
  return (
    <Frame
      title="A colleague mentioned you"
      preview="In a comment on a visitor’s feedback."
      why="You’re getting this because a colleague wrote your name in a comment."
    >
      <Title>A colleague mentioned you</Title>
      <Paragraph>In a comment on a visitor’s feedback. It is for your team only, so it can be read in Afterword.</Paragraph>
      <Details of={{ 'Mentioned by': by, Property: place }} />
      <Action to={link}>Read the comment</Action>
    </Frame>
  );
}
