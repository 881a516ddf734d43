import type { Mails } from '#contract/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Paragraph, Title } from '../parts.tsx';

export function PasswordChanged({ link }: Mails['password-changed']) {
  return (
    <Frame
      title="Your password was changed"
      preview="If it was you, there is nothing to do."
      why="You’re getting this because your password was changed."
    >
      <Title>Your password was changed</Title>
      <Paragraph>If it was you, there is nothing to do.</Paragraph>
      <Paragraph>If it was not, choose “Forgot password” at the sign-in now. That signs everybody else out.</Paragraph>
      <Action to={link}>Open the sign-in</Action>
    </Frame>
  );
}
