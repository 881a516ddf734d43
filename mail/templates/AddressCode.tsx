import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Code, Paragraph, Quiet, Title } from '../parts.tsx';

export function AddressCode({ code }: Mails['address-code']) {
  return (
    <Frame
      title="Confirm your new address"
      preview="Type the code in to confirm it."
      why="You’re getting this because someone gave this address as their new one."
    >
      <Title>Confirm your new address</Title>
      <Paragraph>Type this code in, and you sign in with this address from then on. It is valid for 24 hours.</Paragraph>
      <Code>{code}</Code>
      <Quiet>If you did not ask for this, ignore this email: nothing happens without the code.</Quiet>
    </Frame>
  );
}
