import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, NotYou, Paragraph, Title } from '../parts.tsx';

export function BackupCodeUsed({ left, link, ...facts }: Mails['backup-code-used']) {
  return (
    <Frame
      title="A backup code was used"
      preview="Someone signed in as you with a backup code."
      why="You’re getting this because one of your backup codes was used."
    >
      <Title>A backup code was used</Title>
      <Paragraph>You or someone else signed in to Afterword with your password and one of your backup codes.</Paragraph>
      <Paragraph>{left === 1 ? '1 code is left.' : `${left} codes are left.`} You can create new ones in your profile.</Paragraph>
      <Action to={link}>Open your profile</Action>
      <NotYou {...facts} gives="Then create new backup codes." />
    </Frame>
  );
}
