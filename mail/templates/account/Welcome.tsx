import { Img, Link } from '@react-email/components';
import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Paragraph, Quiet } from '../../parts.tsx';
import { Rich } from '../../Rich.tsx';
import { LIGHT as c, DARK_MODE_CLASSES as dark } from '../../theme.ts';

export function Welcome({ name, company, link, form }: Mails['welcome']) {
  const t = useT();
  return (
    <Frame title={t('Welcome to Afterword')} preview={t('Your first form is ready.')} why={t('You’re getting this because you signed up.')}>
      <Paragraph>
        {t(
          'Hi {name}, {company}’s form is ready. Put its link where visitors see it: at the till, on the table, at the door. Their feedback reaches you immediately.',
          { name, company },
        )}
      </Paragraph>
      {form !== undefined && <FormCode form={form} />}
      <Action to={link}>{t('Go to my dashboard')}</Action>
    </Frame>
  );
}

/** The picture is part of the email. Programs that don't show it show the link. */
function FormCode({ form }: { form: string }) {
  const t = useT();
  return (
    <>
      <Paragraph>{t('Try it on your phone: scan the code, or open the link.')}</Paragraph>
      <Img
        src="cid:code"
        width="200"
        height="200"
        alt={t('The QR code of your form')}
        data-skip-in-text="true"
        style={{ margin: '0 0 12px', borderRadius: '8px' }}
      />
      <Quiet>
        <Rich
          text={t('Your form: <form>{form}</form>', { form })}
          parts={{
            form: (text) => (
              <Link href={form} className={dark.link} style={{ color: c.accent }}>
                {text}
              </Link>
            ),
          }}
        />
      </Quiet>
    </>
  );
}
