import type { Mails } from '#contract/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Paragraph, Quiet, Title } from '../parts.tsx';

export function AddressTaken({ link }: Mails['address-taken']) {
  return (
    <Frame
      title="You already have an account"
      preview="Sign in with this address."
      why="You get this mail because your address was given at a sign-up."
    >
      <Title>You already have an account</Title>
      <Paragraph>Somebody, probably you, signed up with this address. It has an account, so no second one was made.</Paragraph>
      <Action to={link}>Sign in</Action>
      <Quiet>If you forgot your password, choose “Forgot password” there. If it was not you, ignore this mail.</Quiet>
    </Frame>
  );
}
