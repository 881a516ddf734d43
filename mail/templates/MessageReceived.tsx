import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Title } from '../parts.tsx';

export function MessageReceived({ kind, from, link }: Mails['message-received']) {
  return (
    <Frame
      title="A team sent you a message"
      preview="Read it in the operator area."
      why="You’re getting this because you run this installation of Afterword."
    >
      <Title>A team sent you a message</Title>
      <Paragraph>Someone sent {kind === 'bug' ? 'a bug report' : 'feedback about the product'}. Read it in the operator area.</Paragraph>
      <Details of={{ From: from }} />
      <Action to={link}>Read the message</Action>
    </Frame>
  );
}
