import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Title } from '../parts.tsx';

export function Mentioned({ by, place, link }: Mails['mentioned']) {
  return (
    <Frame
      title="A teammate mentioned you"
      preview="In a comment on a visitor’s feedback."
      why="You’re getting this because a teammate wrote your name in a comment."
    >
      <Title>A teammate mentioned you</Title>
      <Paragraph>In a comment on a visitor’s feedback. Comments are for your team only, so read it in Afterword.</Paragraph>
      <Details of={{ 'Mentioned by': by, Property: place }} />
      <Action to={link}>Read the comment</Action>
    </Frame>
  );
}
