import { Img, Link } from '@react-email/components';
import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Paragraph, Quiet, Title } from '../parts.tsx';
import { LIGHT as c, DARK_MODE_CLASSES as dark } from '../theme.ts';

export function Welcome({ name, company, link, form }: Mails['welcome']) {
  return (
    <Frame title="Welcome to Afterword" preview="Your first form is ready." why="You’re getting this because you signed up.">
      <Title>Welcome to Afterword</Title>
      <Paragraph>
        Hi {name}, {company}’s form is ready. Put its link where visitors see it: at the till, on the table, at the door. Their feedback
        reaches you immediately.
      </Paragraph>
      {form !== undefined && <FormCode form={form} />}
      <Action to={link}>Go to my dashboard</Action>
    </Frame>
  );
}

/** The picture is part of the email. Programs that don't show it show the link. */
const FormCode = ({ form }: { form: string }) => (
  <>
    <Paragraph>Try it on your phone: scan the code, or open the link.</Paragraph>
    <Img
      src="cid:code"
      width="200"
      height="200"
      alt="The QR code of your form"
      data-skip-in-text="true"
      style={{ margin: '0 0 12px', borderRadius: '8px' }}
    />
    <Quiet>
      Your form:{' '}
      <Link href={form} className={dark.link} style={{ color: c.accent }}>
        {form}
      </Link>
    </Quiet>
  </>
);
