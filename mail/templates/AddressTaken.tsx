import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Paragraph, Quiet, Title } from '../parts.tsx';

export function AddressTaken({ link }: Mails['address-taken']) {
  return (
    <Frame
      title="You already have an account"
      preview="Sign in with this address."
      why="You’re getting this because someone gave this address."
    >
      <Title>You already have an account</Title>
      <Paragraph>
        Someone, probably you, signed up with this address or tried to change to it. It already has an account, so nothing changed.
      </Paragraph>
      <Action to={link}>Sign in</Action>
      <Quiet>
        If you forgot your password, choose “Forgot password” on the sign-in page. If this wasn’t you, you can ignore this email.
      </Quiet>
    </Frame>
  );
}
