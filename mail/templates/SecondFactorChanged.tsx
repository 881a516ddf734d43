import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { NotYou, Paragraph, Title } from '../parts.tsx';

export function SecondFactorChanged({ isOn, ...facts }: Mails['second-factor-changed']) {
  const what = `Two-step sign-in was turned ${isOn ? 'on' : 'off'}`;
  return (
    <Frame title={what} preview="If this was you, there’s nothing to do." why="You’re getting this because how you sign in was changed.">
      <Title>{what}</Title>
      <Paragraph>
        {isOn ? 'From now on, signing in requires a code from an app.' : 'From now on, your password alone is enough to sign in.'} If this
        was you, there’s nothing to do.
      </Paragraph>
      <NotYou {...facts} />
    </Frame>
  );
}
