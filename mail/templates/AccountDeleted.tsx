import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Quiet, Title } from '../parts.tsx';

export function AccountDeleted({ company, until, link }: Mails['account-deleted']) {
  return (
    <Frame
      title="Your account was deleted"
      preview="It can come back for seven days."
      why="You’re getting this because you are an admin of the account."
    >
      <Title>Your account was deleted</Title>
      <Paragraph>
        Its forms are closed, and its team cannot use it. Nothing is lost yet; after seven days everything in it is gone for good.
      </Paragraph>
      <Details of={{ Account: company, 'Can come back until': until }} />
      <Paragraph>To bring it back, sign in as before and press “Bring it back”.</Paragraph>
      <Action to={link}>Sign in</Action>
      <Quiet>If it is to go, there is nothing to do.</Quiet>
    </Frame>
  );
}
