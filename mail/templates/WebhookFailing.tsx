import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Title } from '../parts.tsx';

export function WebhookFailing({ host, isGone, link }: Mails['webhook-failing']) {
  return (
    <Frame
      title="A webhook is failing"
      preview={isGone ? 'Its receiver returned 410 Gone, so it was turned off.' : 'A message failed after ten attempts.'}
      why="You’re getting this because you are an admin of the account. You won’t get another email about it until a delivery succeeds."
    >
      <Title>A webhook is failing</Title>
      <Paragraph>
        {isGone
          ? 'Its receiver returned 410 Gone, so the webhook was turned off. Turn it on again when the receiver is back.'
          : 'A message failed after ten attempts in three days. Newer messages are still sent.'}{' '}
        You can resend failed messages for 30 days.
      </Paragraph>
      <Details of={{ Receiver: host }} />
      <Action to={link}>View deliveries</Action>
    </Frame>
  );
}
