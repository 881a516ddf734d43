import { TEST_MODE } from '#contract/billing/billing.ts';
import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Details, Paragraph, Quiet, Title } from '../parts.tsx';

type News = Mails['plan-news'];

/** What each piece of news says, and what follows from it for whoever reads it. */
const SAID: Readonly<
  Record<News['about'], { readonly title: string; readonly preview: string; readonly body: string; readonly action: string }>
> = {
  'trial-ending': {
    title: 'Your free trial ends soon',
    preview: 'Choose a plan to go on without a break.',
    body: 'Nothing is charged before it ends. Afterwards your team can still read everything, and change nothing, until a plan is paid. Your forms go on collecting either way.',
    action: 'Choose a plan',
  },
  'trial-ended': {
    title: 'Your free trial has ended',
    preview: 'Everything is still there to be read.',
    body: 'Your team can read everything, and change nothing, until a plan is paid. Your forms go on collecting, and nothing is deleted.',
    action: 'Choose a plan',
  },
  'payment-failed': {
    title: 'A payment failed',
    preview: 'Update the payment to keep everything working.',
    body: 'The card for your plan could not be charged. It will be tried again; everything works on meanwhile, until the day below.',
    action: 'Update the payment',
  },
  ended: {
    title: 'Your subscription has ended',
    preview: 'Everything is still there to be read.',
    body: 'Your team can read everything, and change nothing, until a plan is paid. Your forms go on collecting, and nothing is deleted.',
    action: 'Choose a plan',
  },
};

export function PlanNews({ about, company, until, isTestMode, link }: News) {
  const { title, preview, body, action } = SAID[about];
  return (
    <Frame title={title} preview={preview} why="You’re getting this because you are an admin of the account.">
      <Title>{title}</Title>
      <Paragraph>{body}</Paragraph>
      {isTestMode && <Paragraph>{TEST_MODE}</Paragraph>}
      <Details of={{ Account: company, ...(until !== undefined && { Until: until }) }} />
      <Action to={link}>{action}</Action>
      <Quiet>You can take all your data with you or delete the account at any time.</Quiet>
    </Frame>
  );
}
