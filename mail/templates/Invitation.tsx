import type { Mails } from '#contract/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Quiet, Title } from '../parts.tsx';

export function Invitation({ name, invitedBy, company, link }: Mails['invitation']) {
  return (
    <Frame
      title="You are invited to a team"
      preview="Choose a password to join."
      why="You get this mail because somebody invited you to their team."
    >
      <Title>You are invited to a team</Title>
      <Paragraph>Afterword is where teams read what visitors say. Choose a password, and you can read along.</Paragraph>
      <Details of={{ For: name, Team: company, 'Invited by': invitedBy }} />
      <Action to={link}>Join the team</Action>
      <Quiet>If you do not know them, ignore this mail: nothing happens without you.</Quiet>
    </Frame>
  );
}
