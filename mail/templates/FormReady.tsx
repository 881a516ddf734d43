import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Paragraph, Title } from '../parts.tsx';

export function FormReady({ place, link }: Mails['form-ready']) {
  return (
    <Frame
      title="Your new feedback form is ready"
      preview="Put its link where visitors see it."
      why="You’re getting this because you added a property."
    >
      <Title>Your form is ready</Title>
      <Paragraph>{place} has a form of its own now: one tap, and visitors have answered.</Paragraph>
      <Action to={link}>Look at the form</Action>
    </Frame>
  );
}
