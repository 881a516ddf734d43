import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Quiet, Title } from '../parts.tsx';

export function AccountInvitation({ name, company, link }: Mails['account-invitation']) {
  return (
    <Frame
      title="Open your account"
      preview="Choose a password to begin."
      why="You’re getting this because whoever runs this installation invited your business."
    >
      <Title>Open your account</Title>
      <Paragraph>Afterword is where teams read what visitors say. Choose a password, and set up your first form.</Paragraph>
      <Details of={{ For: name, Business: company }} />
      <Action to={link}>Open my account</Action>
      <Quiet>The link lasts seven days. If you did not expect it, ignore this email: nothing happens without you.</Quiet>
    </Frame>
  );
}
