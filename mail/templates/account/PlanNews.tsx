import { TEST_MODE } from '#contract/billing/billing.ts';
import { translatable } from '#contract/language/translate.ts';
import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { momentInWords } from '../../format.ts';
import { useT } from '../../language.tsx';
import { Action, Details, Paragraph, Quiet } from '../../parts.tsx';

type News = Mails['plan-news'];

/** The text of each email, and its action. */
const TEXTS = translatable({
  'trial-ending': {
    title: 'Your free trial ends soon',
    preview: 'Choose a plan to continue without a break.',
    body: 'Nothing is charged before it ends. After that, your team can read and export everything, but not make changes until you pay for a plan. Your forms keep collecting feedback either way.',
    action: 'Choose a plan',
  },
  'trial-ended': {
    title: 'Your free trial has ended',
    preview: 'Everything can still be read.',
    body: 'Your team can read and export everything, but not make changes until you pay for a plan. Your forms keep collecting feedback, and nothing is deleted.',
    action: 'Choose a plan',
  },
  'payment-failed': {
    title: 'A payment failed',
    preview: 'Update the payment to keep everything working.',
    body: 'We couldn’t charge the card for your plan. We’ll try again, and everything keeps working until the day below.',
    action: 'Update the payment',
  },
  ended: {
    title: 'Your subscription has ended',
    preview: 'Everything can still be read.',
    body: 'Your team can read and export everything, but not make changes until you pay for a plan. Your forms keep collecting feedback, and nothing is deleted.',
    action: 'Choose a plan',
  },
});

export function PlanNews({ about, company, until, isTestMode, link }: News) {
  const t = useT();
  const { title, preview, body, action } = TEXTS[about];
  return (
    <Frame title={t(title)} preview={t(preview)} why={t('You’re getting this because you are an admin of the account.')}>
      <Paragraph>{t(body)}</Paragraph>
      {isTestMode && <Paragraph>{t(TEST_MODE)}</Paragraph>}
      <Details of={{ [t('Account')]: company, ...(until !== undefined && { [t('Until')]: momentInWords(t, until) }) }} />
      <Action to={link}>{t(action)}</Action>
      <Quiet>{t('You can export all your data or delete the account at any time.')}</Quiet>
    </Frame>
  );
}
