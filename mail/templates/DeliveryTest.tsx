import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Paragraph, Title } from '../parts.tsx';

export function DeliveryTest({ name, link }: Mails['delivery-test']) {
  return (
    <Frame title="A test from Afterword" preview="Mail from Afterword reaches you." why="You’re getting this because you asked for a test.">
      <Title>Mail reaches you</Title>
      <Paragraph>Hello {name}, this is the test that you asked for. Alerts and reports will come the same way.</Paragraph>
      <Action to={link}>Back to Afterword</Action>
    </Frame>
  );
}
