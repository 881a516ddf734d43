import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Title } from '../parts.tsx';

export function SecondFactorReset({ by, link }: Mails['second-factor-reset']) {
  return (
    <Frame
      title="Your two-step sign-in was turned off"
      preview="Your password alone opens your account now."
      why="You’re getting this because your two-step sign-in was turned off."
    >
      <Title>Your two-step sign-in was turned off</Title>
      <Paragraph>You were signed out everywhere. From now on, your password alone opens your account.</Paragraph>
      <Details of={{ 'Done by': by ?? 'an operator of this installation, as we wrote to you a day ago' }} />
      <Paragraph>Sign in and set it up again, with the authenticator app on your new phone.</Paragraph>
      <Paragraph>If you didn’t ask for this, change your password, and ask who did.</Paragraph>
      <Action to={link}>Open your profile</Action>
    </Frame>
  );
}
