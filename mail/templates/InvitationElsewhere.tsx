import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Quiet, Title } from '../parts.tsx';

export function InvitationElsewhere({ name, invitedBy, company, link }: Mails['invitation-elsewhere']) {
  return (
    <Frame
      title="You are invited to another team"
      preview="This address already has an account."
      why="You’re getting this because someone invited you to their team."
    >
      <Title>You are invited to another team</Title>
      <Paragraph>
        This address already belongs to a team on Afterword, and an address can belong to only one team. To join this one, ask to be invited
        with another address.
      </Paragraph>
      <Details of={{ For: name, Team: company, 'Invited by': invitedBy }} />
      <Action to={link}>Sign in</Action>
      <Quiet>If you don’t know them, you can ignore this email. They can’t see that you have an account.</Quiet>
    </Frame>
  );
}
