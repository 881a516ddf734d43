import type { Mails } from '#contract/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Paragraph, Title } from '../parts.tsx';

export function Welcome({ name, company, link }: Mails['welcome']) {
  return (
    <Frame title="Welcome to Afterword" preview="Your first form is ready." why="You get this mail because you signed up.">
      <Title>Welcome to Afterword</Title>
      <Paragraph>Your account is ready, and so is your first form.</Paragraph>
      <Paragraph>
        Thank you for bringing {company} along, {name}. Put the form’s code where visitors see it: at the till, on the table, at the door.
        What they say reaches you at once.
      </Paragraph>
      <Action to={link}>Go to my dashboard</Action>
    </Frame>
  );
}
