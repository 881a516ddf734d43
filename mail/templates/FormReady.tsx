import type { Mails } from '#contract/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Paragraph, Title } from '../parts.tsx';

export function FormReady({ place, link }: Mails['form-ready']) {
  return (
    <Frame
      title="Your new feedback form is ready"
      preview="Put its code where visitors see it."
      why="You get this mail because you added a property."
    >
      <Title>Your form is ready</Title>
      <Paragraph>{place} has a form of its own now. Its code and its words are on the property’s page.</Paragraph>
      <Action to={link}>Look at the form</Action>
    </Frame>
  );
}
