import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { NotYou, Paragraph, Title } from '../parts.tsx';

export function PasswordChanged(props: Mails['password-changed']) {
  return (
    <Frame
      title="Your password was changed"
      preview="If this was you, there’s nothing to do."
      why="You’re getting this because your password was changed."
    >
      <Title>Your password was changed</Title>
      <Paragraph>If this was you, there’s nothing to do.</Paragraph>
      <NotYou {...props} />
    </Frame>
  );
}
