import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Code, Details, Paragraph, Quiet } from '../../parts.tsx';

export function SignUpCode({ name, company, code, link }: Mails['sign-up-code']) {
  const t = useT();
  return (
    <Frame
      title={t('Confirm your email')}
      preview={t('One click, or a code to enter.')}
      why={t('You’re getting this because someone signed up with this address.')}
    >
      <Paragraph>{t('Press the button on any device, or enter this code where you signed up. Both are valid for 24 hours.')}</Paragraph>
      <Code>{code}</Code>
      <Action to={link}>{t('Confirm my email')}</Action>
      <Paragraph>{t('This is what was entered:')}</Paragraph>
      <Details of={{ [t('Name')]: name, [t('Company')]: company }} />
      <Quiet>{t('If this isn’t you, ignore this email and don’t press its button.')}</Quiet>
    </Frame>
  );
}
