import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Details, Paragraph } from '../../parts.tsx';

export function Assigned({ by, place, count, link }: Mails['assigned']) {
  const t = useT();
  const isOne = count === 1;
  const what = t.count(count, 'A visitor’s feedback is now assigned to you.', '{count} feedback items are now assigned to you.');
  return (
    <Frame
      title={t('Feedback was assigned to you')}
      preview={what}
      why={t('You’re getting this because a teammate assigned feedback to you.')}
    >
      <Paragraph>
        {what} {t('Read what visitors wrote in Afterword.')}
      </Paragraph>
      <Details of={{ [t('Assigned by')]: by, ...(isOne && { [t('Property')]: place }) }} />
      <Action to={link}>{isOne ? t('Read the feedback') : t('See what is assigned to you')}</Action>
    </Frame>
  );
}
