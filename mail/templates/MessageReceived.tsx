import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Title } from '../parts.tsx';

export function MessageReceived({ kind, from, link }: Mails['message-received']) {
  return (
    <Frame
      title="A team has written to you"
      preview="It waits in the operator area."
      why="You’re getting this because you run this installation of Afterword."
    >
      <Title>A team has written to you</Title>
      <Paragraph>Somebody sent {kind === 'bug' ? 'a bug report' : 'feedback about the product'}. It waits in the operator area.</Paragraph>
      <Details of={{ From: from }} />
      <Action to={link}>Read the message</Action>
    </Frame>
  );
}
