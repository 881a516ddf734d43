import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Paragraph, Title } from '../parts.tsx';

export function Welcome({ name, company, link }: Mails['welcome']) {
  return (
    <Frame title="Welcome to Afterword" preview="Your first form is ready." why="You’re getting this because you signed up.">
      <Title>Welcome to Afterword</Title>
      <Paragraph>
        Hi {name}, {company}’s form is ready. Put its link where visitors see it: at the till, on the table, at the door. Their feedback
        reaches you immediately.
      </Paragraph>
      <Action to={link}>Go to my dashboard</Action>
    </Frame>
  );
}
