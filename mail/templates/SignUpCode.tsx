import type { Mails } from '#contract/mail.ts';
import { Frame } from '../Frame.tsx';
import { Code, Paragraph, Quiet, Title } from '../parts.tsx';

export function SignUpCode({ name, code }: Mails['sign-up-code']) {
  return (
    <Frame
      title="Your sign-up code"
      preview="Type it in to finish signing up."
      why="You get this mail because your address was given at a sign-up."
    >
      <Title>Your sign-up code</Title>
      <Paragraph>Type this code in to finish signing up. It is valid for 24 hours.</Paragraph>
      <Code>{code}</Code>
      <Quiet>The account is for {name}. If that is not you, ignore this mail: nothing happens without the code.</Quiet>
    </Frame>
  );
}
