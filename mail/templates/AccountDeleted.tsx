import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Quiet, Title } from '../parts.tsx';

export function AccountDeleted({ company, until, link }: Mails['account-deleted']) {
  return (
    <Frame
      title="Your account was deleted"
      preview="You can restore it for seven days."
      why="You’re getting this because you are an admin of the account."
    >
      <Title>Your account was deleted</Title>
      <Paragraph>Its forms are closed, and your team can’t use it. After seven days, everything in it is deleted permanently.</Paragraph>
      <Details of={{ Account: company, 'Restore until': until }} />
      <Paragraph>To restore it, sign in and choose “Restore account”.</Paragraph>
      <Action to={link}>Sign in</Action>
      <Quiet>If you meant to delete it, there’s nothing to do.</Quiet>
    </Frame>
  );
}
