import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Code, Paragraph, Quiet, Title } from '../parts.tsx';

export function ResetCode({ code, link }: Mails['reset-code']) {
  return (
    <Frame
      title="Reset your password"
      preview="Valid for 10 minutes."
      why="You’re getting this because someone asked to reset your password."
    >
      <Title>Reset your password</Title>
      {code === undefined ? (
        <Paragraph>Choose a new password with this link. It is valid for 10 minutes.</Paragraph>
      ) : (
        <>
          <Paragraph>Choose a new password with this code, or with the link. Both are valid for 10 minutes.</Paragraph>
          <Code>{code}</Code>
        </>
      )}
      <Action to={link}>Choose a new password</Action>
      <Quiet>If you didn’t ask for this, you can ignore this email. Your password stays the same.</Quiet>
    </Frame>
  );
}
