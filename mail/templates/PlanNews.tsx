import { TEST_MODE } from '#contract/billing/billing.ts';
import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Quiet, Title } from '../parts.tsx';

type News = Mails['plan-news'];

/** The text of each email, and its action. */
const TEXTS: Readonly<
  Record<News['about'], { readonly title: string; readonly preview: string; readonly body: string; readonly action: string }>
> = {
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
};

export function PlanNews({ about, company, until, isTestMode, link }: News) {
  const { title, preview, body, action } = TEXTS[about];
  return (
    <Frame title={title} preview={preview} why="You’re getting this because you are an admin of the account.">
      <Title>{title}</Title>
      <Paragraph>{body}</Paragraph>
      {isTestMode && <Paragraph>{TEST_MODE}</Paragraph>}
      <Details of={{ Account: company, ...(until !== undefined && { Until: until }) }} />
      <Action to={link}>{action}</Action>
      <Quiet>You can export all your data or delete the account at any time.</Quiet>
    </Frame>
  );
}
