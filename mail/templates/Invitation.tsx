import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Quiet, Title } from '../parts.tsx';

export function Invitation({ name, invitedBy, company, link }: Mails['invitation']) {
  return (
    <Frame
      title="You are invited to a team"
      preview="Choose a password to join."
      why="You’re getting this because someone invited you to their team."
    >
      <Title>You are invited to a team</Title>
      <Paragraph>Afterword collects feedback from your visitors. Choose a password to join.</Paragraph>
      <Details of={{ For: name, Team: company, 'Invited by': invitedBy }} />
      <Action to={link}>Join the team</Action>
      <Quiet>If you don’t know them, you can ignore this email.</Quiet>
    </Frame>
  );
}
