import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Paragraph, Quiet, Title } from '../parts.tsx';

export function FormLink({ place, link, trial }: Mails['form-link']) {
  return (
    <Frame
      title="The link to your form"
      preview="Open it on your phone and tap a face."
      why="You’re getting this because you asked for it."
    >
      <Title>Your form, on your phone</Title>
      <Paragraph>
        Open the form of {place} and tap a face: it arrives in your feed within a second. Your answer is marked as a test.
      </Paragraph>
      <Action to={trial}>Try the form</Action>
      <Quiet>To share with visitors: {link}</Quiet>
    </Frame>
  );
}
