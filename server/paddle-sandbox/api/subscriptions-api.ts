import type { FastifyRequest } from 'fastify';
import { ApiRefusal, badField } from '../api-error.ts';
import { cardChangeTransaction } from '../lifecycle/card-change.ts';
import { cancel, pause, resume } from '../lifecycle/ending.ts';
import { update } from '../lifecycle/update.ts';
import { nextTransaction, preview, recurringDetails } from '../lifecycle/update-preview.ts';
import { listPage } from '../lists.ts';
import { subscriptionById } from '../objects/subscriptions.ts';
import type { Fields } from '../request-fields.ts';
import type { KeptSubscription } from '../state.ts';
import type { SandboxWorld } from '../world.ts';
import type { ApiRoutes } from './routes.ts';

/** Subscriptions, and what their owner changes about them. */
export function addSubscriptionsApi({ options: { world, paymentLink, signedAddress }, get, list, post, patch }: ApiRoutes): void {
  /** As the API tells it, with links to manage it, which are good for a while. */
  const told = (request: FastifyRequest, { entity }: KeptSubscription): object => {
    const portal = (rest: string): string => signedAddress(request, `/portal/${entity.customer_id}/${rest}/${entity.id}`);
    return { ...entity, management_urls: { update_payment_method: portal('card'), cancel: portal('cancel') } };
  };
  const changeable = (id: string): KeptSubscription => {
    const kept = subscriptionById(world, id);
    refuseWhenLocked(world);
    return kept;
  };

  list('/subscriptions', (request) =>
    listPage({
      request,
      rows: Object.values(world.state.subscriptions).map(({ entity }) => entity),
      idOf: ({ id }) => id,
      filters: {
        id: ({ id }) => id,
        customer_id: ({ customer_id }) => customer_id,
        status: ({ status }) => status,
        scheduled_change_action: ({ scheduled_change }) => scheduled_change?.action,
      },
      order: 'DESC',
    }),
  );
  get('/subscriptions/:id', ({ id, request }) => {
    const kept = subscriptionById(world, id);
    const included = (request.query as { include?: string }).include?.split(',') ?? [];
    return {
      ...told(request, kept),
      ...(included.includes('next_transaction') && { next_transaction: nextTransaction(world, kept) }),
      ...(included.includes('recurring_transaction_details') && { recurring_transaction_details: recurringDetails(world, kept) }),
    };
  });
  patch('/subscriptions/:id', ({ id, request, fields }) => {
    const kept = changeable(id);
    update(world, kept, fields);
    return told(request, kept);
  });
  patch('/subscriptions/:id/preview', ({ id, fields }) => preview(world, subscriptionById(world, id), fields));
  post('/subscriptions/:id/cancel', ({ id, request, fields }) => {
    const kept = changeable(id);
    cancel(world, kept, whenOf(fields));
    return told(request, kept);
  });
  post('/subscriptions/:id/pause', ({ id, request, fields }) => {
    const kept = changeable(id);
    const [when, resumeAt] = [whenOf(fields), fields.optionalText('resume_at')];
    pause(world, kept, { ...(when && { when }), ...(resumeAt && { resumeAt }) });
    return told(request, kept);
  });
  post('/subscriptions/:id/resume', ({ id, request, fields }) => {
    const kept = changeable(id);
    const at = fields.text('effective_from');
    if (at !== 'immediately' && Number.isNaN(Date.parse(at))) throw badField('effective_from', 'must be immediately or a date and time');
    resume(world, kept, at);
    return told(request, kept);
  });
  get('/subscriptions/:id/update-payment-method-transaction', ({ id }) =>
    cardChangeTransaction(world, subscriptionById(world, id), paymentLink),
  );
}

function whenOf(fields: Fields): 'immediately' | 'next_billing_period' | undefined {
  const when = fields.optionalText('effective_from');
  if (when === undefined || when === 'immediately' || when === 'next_billing_period') return when;
  throw badField('effective_from', 'must be immediately or next_billing_period');
}

/** As somebody asked for at the panel, once. */
function refuseWhenLocked({ state: { faults } }: SandboxWorld): void {
  const code = faults.locksNextUpdate;
  faults.locksNextUpdate = null;
  if (code !== null) throw new ApiRefusal(409, code, 'unable to update subscription 30m0s before renewal');
}
