import { IconReceipt } from '@tabler/icons-react';
import type { Subscription } from '#contract/billing/billing.ts';
import { adminNames, useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { paths as site } from '../../paths.ts';
import { EmptyState } from '../../ui/messages/EmptyState.tsx';
import { Button } from '../../ui/theme/mantine.ts';

/** Shown if the address has no payment: states whether one is due, and links to the plan. */
export function NoPayment() {
  const { account, user, users } = useTeam();
  const { title, more } = wordsFor(account.data.subscription);
  return (
    <EmptyState icon={<IconReceipt size={32} stroke={1.5} aria-hidden />} title={<h1 tabIndex={-1}>{title}</h1>} action={<ToPlan />}>
      {user.data.level === 'admin' ? more : t('Ask {names} about your plan and its payments.', { names: adminNames(users) })}
    </EmptyState>
  );
}

function wordsFor({ status, phase, payment }: Subscription): Record<'title' | 'more', string> {
  if (status === 'past_due') return { title: t('A payment is due.'), more: t('Update your payment under Plan. It opens here.') };
  if (phase === 'none')
    return { title: t('Nothing to pay.'), more: status === 'inactive' ? t('Finish signing up first.') : t('Your plan is free.') };
  if (payment && phase !== 'ended') return { title: t('Nothing is due.'), more: t('Your plan, card and payments are under Plan.') };
  return { title: t('Nothing to pay yet.'), more: t('Choose monthly or annual under Plan. The payment opens here.') };
}

/** Links to the plan, or to the feed for members. Loads the page afresh, because this one has its own content security policy. */
export function ToPlan({ isQuiet = false }: { isQuiet?: boolean }) {
  const { account, user, paths } = useTeam();
  const { status, phase } = account.data.subscription;
  const variant = isQuiet ? 'default' : 'filled';
  const [href, label] =
    status === 'inactive'
      ? [site.signUp, t('Finish signing up')]
      : phase === 'none' || user.data.level !== 'admin'
        ? [paths.feed, t('Go to feedback')]
        : [paths.planPanel, t('Go to your plan')];
  return (
    <Button component="a" href={href} variant={variant}>
      {label}
    </Button>
  );
}
