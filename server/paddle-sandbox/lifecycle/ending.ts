import { ApiRefusal } from '../api-error.ts';
import { millisecondsOf, momentOf } from '../moments.ts';
import { changeSubscription, cycleFrom, datedItems, reportSubscription } from '../objects/subscriptions.ts';
import { changeTransaction } from '../objects/transactions.ts';
import type { KeptSubscription } from '../state.ts';
import type { SandboxWorld } from '../world.ts';
import { bill } from './renewal.ts';

/* A subscription is paused, resumed and canceled: at once, or when its period ends. */

type When = 'immediately' | 'next_billing_period';

/** Cancels, at the end of the period where nothing is said and there is one. Refuses what is canceled, and what is to end already. */
export function cancel(world: SandboxWorld, kept: KeptSubscription, when: When = defaultWhen(kept)): void {
  if (kept.entity.status === 'canceled') throw canceledAlready();
  if (when === 'immediately' || kept.entity.status === 'paused') cancelNow(world, kept);
  else schedule(world, kept, { action: 'cancel' });
}

export function cancelNow(world: SandboxWorld, kept: KeptSubscription): void {
  stop(world, kept, { status: 'canceled', canceled_at: momentOf(world.now()), paused_at: null });
  reportSubscription(world, 'subscription.canceled', kept);
}

/** Pauses, at the end of the period where nothing is said. `resumeAt` is a moment. */
export function pause(
  world: SandboxWorld,
  kept: KeptSubscription,
  { when = 'next_billing_period', resumeAt = null }: PauseTerms = {},
): void {
  if (kept.entity.status === 'canceled') throw canceledAlready();
  if (kept.entity.status === 'paused')
    throw new ApiRefusal(400, 'subscription_is_inactive_action_invalid', "action can't be performed on inactive subscription");
  if (when === 'immediately') pauseNow(world, kept, resumeAt);
  else schedule(world, kept, { action: 'pause', resumeAt });
}

interface PauseTerms {
  readonly when?: When;
  readonly resumeAt?: string | null;
}

export function pauseNow(world: SandboxWorld, kept: KeptSubscription, resumeAt: string | null = null): void {
  stop(world, kept, {
    status: 'paused',
    paused_at: momentOf(world.now()),
    scheduled_change: resumeAt === null ? null : { action: 'resume', effective_at: resumeAt, resume_at: null },
  });
  reportSubscription(world, 'subscription.paused', kept);
}

/** Resumes a paused subscription with a new period, which is billed at once; at a later date where one is given. Gives whether it was paid. */
export function resume(world: SandboxWorld, kept: KeptSubscription, at: string = 'immediately'): boolean {
  const { entity } = kept;
  if (entity.status === 'canceled') throw canceledAlready();
  const pausing = entity.scheduled_change?.action === 'pause' ? entity.scheduled_change : undefined;
  if (entity.status !== 'paused' && !pausing)
    throw new ApiRefusal(400, 'subscription_must_be_paused', 'action can only be performed on paused subscription');
  if (at !== 'immediately') {
    changeSubscription(world, kept, {
      scheduled_change: pausing ? { ...pausing, resume_at: at } : { action: 'resume', effective_at: at, resume_at: null },
    });
    return true;
  }
  if (pausing) {
    changeSubscription(world, kept, { scheduled_change: null });
    return true;
  }
  const now = world.now();
  kept.anchor = momentOf(now);
  const period = cycleFrom(kept, now);
  changeSubscription(world, kept, {
    status: 'active',
    paused_at: null,
    scheduled_change: null,
    current_billing_period: period,
    next_billed_at: period.ends_at,
    items: datedItems(world, kept, { status: 'active', previously_billed_at: period.starts_at, next_billed_at: period.ends_at }),
  });
  reportSubscription(world, 'subscription.resumed', kept);
  return bill(world, kept, { isPaid: true });
}

/** What was scheduled happens, as though its date were now. Gives what. */
export function reachScheduledChange(world: SandboxWorld, kept: KeptSubscription): 'cancel' | 'pause' | 'resume' {
  const change = kept.entity.scheduled_change;
  if (!change) throw new ApiRefusal(400, 'bad_request', 'Nothing is scheduled for this subscription.');
  if (change.action === 'cancel') cancelNow(world, kept);
  else if (change.action === 'pause') pauseNow(world, kept, change.resume_at ?? null);
  else {
    kept.entity.scheduled_change = null;
    resume(world, kept);
  }
  return change.action;
}

const defaultWhen = ({ entity }: KeptSubscription): When => (entity.status === 'paused' ? 'immediately' : 'next_billing_period');

function schedule(
  world: SandboxWorld,
  kept: KeptSubscription,
  { action, resumeAt = null }: { readonly action: 'cancel' | 'pause'; readonly resumeAt?: string | null },
): void {
  const ends = kept.entity.current_billing_period?.ends_at ?? momentOf(world.now());
  // What was due before is still to come.
  const effective = momentOf(Math.max(millisecondsOf(ends), world.now()));
  changeSubscription(world, kept, { scheduled_change: { action, effective_at: effective, resume_at: resumeAt } });
}

/** Nothing is billed any more; what is owed is not collected. */
function stop(world: SandboxWorld, kept: KeptSubscription, changes: Parameters<typeof changeSubscription>[2]): void {
  for (const transaction of Object.values(world.state.transactions))
    if (transaction.subscription_id === kept.entity.id && ['past_due', 'ready', 'draft'].includes(transaction.status))
      changeTransaction(world, transaction, { status: 'canceled' });
  changeSubscription(world, kept, {
    scheduled_change: null,
    current_billing_period: null,
    next_billed_at: null,
    items: datedItems(world, kept, { status: 'inactive', next_billed_at: null }),
    ...changes,
  });
}

const canceledAlready = (): ApiRefusal =>
  new ApiRefusal(400, 'subscription_is_canceled_action_invalid', "action can't be performed on canceled subscription");
