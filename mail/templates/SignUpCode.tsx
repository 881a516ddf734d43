import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Code, Details, Paragraph, Quiet, Title } from '../parts.tsx';

export function SignUpCode({ name, company, code, link }: Mails['sign-up-code']) {
  return (
    <Frame
      title="Confirm your email"
      preview="One click, or a code to enter."
      why="You’re getting this because someone signed up with this address."
    >
      <Title>Confirm your email</Title>
      <Paragraph>Press the button on any device, or enter this code where you signed up. Both are valid for 24 hours.</Paragraph>
      <Code>{code}</Code>
      <Action to={link}>Confirm my email</Action>
      <Paragraph>This is what was entered:</Paragraph>
      <Details of={{ Name: name, Company: company }} />
      <Quiet>If this isn’t you, ignore this email and don’t press its button.</Quiet>
    </Frame>
  );
}
