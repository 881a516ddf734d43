import type { ISubscriptionResponse, ProrationBillingMode } from '@paddle/paddle-node-sdk';
import { ApiRefusal, badField } from '../api-error.ts';
import { millisecondsOf, momentOf } from '../moments.ts';
import type { SoldItem, SoldLine } from '../money.ts';
import { itemsOf } from '../objects/catalog.ts';
import { newItem, recurring } from '../objects/subscriptions.ts';
import { lineOf } from '../objects/transactions.ts';
import type { Fields } from '../request-fields.ts';
import type { KeptSubscription } from '../state.ts';
import type { SandboxWorld } from '../world.ts';
import { type Proration, prorate } from './proration.ts';

/* What `PATCH /subscriptions/:id` would do: its preview and the update itself go by the same plan. */

/** What an update comes to. */
export interface SubscriptionUpdate {
  /** What the subscription becomes. */
  readonly changes: Partial<ISubscriptionResponse>;
  /** What billing dates are counted from then. */
  readonly anchor: string;
  readonly proration: Proration | undefined;
  readonly onPaymentFailure: 'prevent_change' | 'apply_change';
}

const HALF_HOUR = 1_800_000;
const MODES: readonly string[] = [
  'prorated_immediately',
  'prorated_next_billing_period',
  'full_immediately',
  'full_next_billing_period',
  'do_not_bill',
];

/** What a request's fields would change. Refuses what a subscription of its status cannot have. */
export function planOf(world: SandboxWorld, kept: KeptSubscription, fields: Fields): SubscriptionUpdate {
  const { entity } = kept;
  if (entity.status === 'canceled')
    throw new ApiRefusal(400, 'subscription_update_when_canceled', 'cannot update subscription, as subscription is canceled');
  const changes: Partial<ISubscriptionResponse> = {};
  if (fields.isNull('scheduled_change')) changes.scheduled_change = null;
  else if (fields.has('scheduled_change')) throw badField('scheduled_change', 'can only be removed; cancel, pause or resume set it');
  if (fields.has('custom_data')) changes.custom_data = fields.customData();
  const mode = modeOf(kept, fields);
  const isMoved = fields.has('next_billed_at');
  if (isMoved) Object.assign(changes, movedTo(world, kept, fields.text('next_billed_at')));
  const proration = fields.has('items') && mode ? itemChange(world, kept, { items: itemsOf(world, fields), mode, changes }) : undefined;
  return {
    changes,
    proration,
    anchor: proration?.newPeriod?.starts_at ?? (isMoved ? (changes.next_billed_at ?? kept.anchor) : kept.anchor),
    onPaymentFailure: fields.optionalText('on_payment_failure') === 'apply_change' ? 'apply_change' : 'prevent_change',
  };
}

/** How a change is billed. Refuses the modes that a subscription of this status cannot have. */
function modeOf({ entity }: KeptSubscription, fields: Fields): ProrationBillingMode | undefined {
  if (!fields.has('items') && !fields.has('next_billed_at')) return undefined;
  const mode = fields.optionalText('proration_billing_mode');
  if (mode === undefined)
    throw new ApiRefusal(
      400,
      'subscription_items_update_missing_proration_billing_mode',
      'proration_billing_mode is required when updating subscription items',
    );
  if (!MODES.includes(mode)) throw badField('proration_billing_mode', `must be one of ${MODES.join(', ')}`);
  if (entity.status === 'past_due')
    throw new ApiRefusal(400, 'subscription_update_when_past_due', 'cannot update subscription, as subscription is past due');
  if (entity.status === 'trialing' && mode !== 'do_not_bill')
    throw new ApiRefusal(
      400,
      'subscription_trialing_items_update_invalid_options',
      'you must use `do_not_bill` as the `proration_billing_mode` for a subscription in trial',
    );
  if (entity.status === 'paused' && mode !== 'do_not_bill')
    throw new ApiRefusal(
      400,
      'subscription_incorrect_proration_on_paused_subscription',
      '`proration_billing_mode` must be set to `do_not_bill` when updating a paused subscription',
    );
  if (entity.scheduled_change && !fields.isNull('scheduled_change') && mode.endsWith('_next_billing_period'))
    throw new ApiRefusal(
      400,
      'subscription_invalid_billing_mode_for_scheduled_change',
      'Subscription can only be updated with `do_not_bill`, `full_immediately`, or `prorated_immediately` as the `proration_billing_mode` because it has a scheduled change.',
    );
  return mode as ProrationBillingMode;
}

function itemChange(
  world: SandboxWorld,
  kept: KeptSubscription,
  {
    items,
    mode,
    changes,
  }: { readonly items: SoldItem[]; readonly mode: ProrationBillingMode; readonly changes: Partial<ISubscriptionResponse> },
): Proration {
  const { entity } = kept;
  const cycle = items.find(({ price }) => price.billing_cycle)?.price.billing_cycle;
  if (!cycle) throw badField('items', 'must have a recurring item');
  const proration = prorate({
    before: recurring(kept),
    after: items,
    mode,
    period: entity.current_billing_period ?? null,
    cycle: { before: entity.billing_cycle, after: cycle },
    now: world.now(),
  });
  const period = proration.newPeriod ?? changes.current_billing_period ?? entity.current_billing_period ?? null;
  const nextBilledAt = proration.newPeriod?.ends_at ?? changes.next_billed_at ?? entity.next_billed_at ?? null;
  const [first] = changes.items ?? entity.items;
  Object.assign(changes, {
    billing_cycle: cycle,
    current_billing_period: period,
    next_billed_at: nextBilledAt,
    items: items.map((item) =>
      newItem(world, item, {
        status: first?.status ?? 'active',
        previouslyBilledAt: proration.newPeriod?.starts_at ?? first?.previously_billed_at ?? null,
        nextBilledAt,
        trialDates: first?.trial_dates ?? null,
      }),
    ),
  });
  return proration;
}

/** Another date of the next payment, which the current period or the trial ends on. */
function movedTo(world: SandboxWorld, { entity }: KeptSubscription, date: string): Partial<ISubscriptionResponse> {
  const next = millisecondsOf(date);
  if (Number.isNaN(next)) throw badField('next_billed_at', 'must be a date and time by RFC 3339');
  if (next < world.now() + HALF_HOUR)
    throw new ApiRefusal(409, 'subscription_next_billed_at_too_soon', 'new next_billed_at needs to be 30m0s from now');
  const ends = momentOf(next);
  return {
    next_billed_at: ends,
    current_billing_period: entity.current_billing_period ? { ...entity.current_billing_period, ends_at: ends } : null,
    items: entity.items.map((item) => ({
      ...item,
      next_billed_at: ends,
      trial_dates: entity.status === 'trialing' && item.trial_dates ? { ...item.trial_dates, ends_at: ends } : (item.trial_dates ?? null),
    })),
  };
}

/** What the customer has in store after a change, and what is carried to the next renewal. */
export function balanceAfter(
  proration: Proration | undefined,
  { credit, carried }: KeptSubscription,
): Pick<KeptSubscription, 'credit' | 'carried'> {
  if (!proration?.billed) return { credit, carried };
  const left = proration.credit - proration.charge;
  if (proration.billed === 'immediately') return { credit: Math.max(0, credit + left), carried };
  return { credit: credit + Math.max(0, left), carried: carried + Math.max(0, -left) };
}

type BillingPeriod = NonNullable<ISubscriptionResponse['current_billing_period']>;

/** The lines that a proration is charged by. */
export const linesOf = (world: SandboxWorld, { charged, rate }: Proration, period: BillingPeriod | null): SoldLine[] =>
  charged.map(({ item, amount }) => ({
    ...lineOf(world, item, amount),
    ...(rate < 1 && { proration: { rate: rate.toFixed(5), billing_period: period } }),
  }));
