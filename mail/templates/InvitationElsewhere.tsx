import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Quiet, Title } from '../parts.tsx';

export function InvitationElsewhere({ name, invitedBy, company, link }: Mails['invitation-elsewhere']) {
  return (
    <Frame
      title="You are invited to another team"
      preview="This address has an account already."
      why="You’re getting this because someone invited you to their team."
    >
      <Title>You are invited to another team</Title>
      <Paragraph>
        This address signs in to a team on Afterword already, and an address can be of one team only. To join this one, ask to be invited
        with another address.
      </Paragraph>
      <Details of={{ For: name, Team: company, 'Invited by': invitedBy }} />
      <Action to={link}>Sign in</Action>
      <Quiet>If you do not know them, ignore this email: they were not told that you have an account.</Quiet>
    </Frame>
  );
}
