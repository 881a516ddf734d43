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
      <Paragraph>{place} now has its own form. Visitors answer with one tap.</Paragraph>
      <Action to={link}>View the form</Action>
    </Frame>
  );
}
