import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Title } from '../parts.tsx';

export function ConversationReported({ place, link }: Mails['conversation-reported']) {
  return (
    <Frame
      title="A visitor reported a conversation"
      preview="Something was wrong with a private reply."
      why="You’re getting this because you’re an admin of the team."
    >
      <Title>A visitor reported a conversation</Title>
      <Paragraph>Read what the team and the visitor wrote. You can close the conversation, or answer the visitor.</Paragraph>
      <Details of={{ Property: place }} />
      <Action to={link}>Open the feedback</Action>
    </Frame>
  );
}
