import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Title } from '../parts.tsx';

export function WebhookFailing({ host, isGone, link }: Mails['webhook-failing']) {
  return (
    <Frame
      title="A webhook does not arrive"
      preview={isGone ? 'Its receiver said that it is gone, so it was turned off.' : 'A message was given up after ten tries.'}
      why="You’re getting this because you are an admin of the account. You hear no more of it until something arrives again."
    >
      <Title>A webhook does not arrive</Title>
      <Paragraph>
        {isGone
          ? 'Its receiver said that it is gone, so the webhook was turned off. Turn it on again when the receiver is back.'
          : 'A message was given up after ten tries in three days. Newer messages are still tried.'}{' '}
        What did not arrive can be sent again for thirty days.
      </Paragraph>
      <Details of={{ Receiver: host }} />
      <Action to={link}>Look at the tries</Action>
    </Frame>
  );
}
