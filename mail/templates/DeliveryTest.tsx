import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Paragraph, Title } from '../parts.tsx';

export function DeliveryTest({ name, link }: Mails['delivery-test']) {
  return (
    <Frame
      title="Test email from Afterword"
      preview="Email from Afterword reaches you."
      why="You’re getting this because you asked for a test."
    >
      <Title>Email works</Title>
      <Paragraph>Hello {name}, this is the test you asked for. Alerts and reports arrive the same way.</Paragraph>
      <Action to={link}>Back to Afterword</Action>
    </Frame>
  );
}
