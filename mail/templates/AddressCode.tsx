import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Code, Paragraph, Quiet, Title } from '../parts.tsx';

export function AddressCode({ code }: Mails['address-code']) {
  return (
    <Frame
      title="Confirm your new address"
      preview="Enter the code to confirm it."
      why="You’re getting this because someone gave this address as their new one."
    >
      <Title>Confirm your new address</Title>
      <Paragraph>Enter this code to start signing in with this address. It’s valid for 24 hours.</Paragraph>
      <Code>{code}</Code>
      <Quiet>If you didn’t ask for this, you can ignore this email.</Quiet>
    </Frame>
  );
}
