import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Quiet, Title } from '../parts.tsx';

export function AccountInvitation({ name, company, link }: Mails['account-invitation']) {
  return (
    <Frame
      title="Open your account"
      preview="Choose a password to begin."
      why="You’re getting this because an operator of Afterword invited your business."
    >
      <Title>Open your account</Title>
      <Paragraph>Afterword collects feedback from your visitors. Choose a password and set up your first form.</Paragraph>
      <Details of={{ For: name, Business: company }} />
      <Action to={link}>Open my account</Action>
      <Quiet>The link works for seven days. If you weren’t expecting it, you can ignore this email.</Quiet>
    </Frame>
  );
}
