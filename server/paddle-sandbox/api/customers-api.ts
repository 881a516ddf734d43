import { listPage } from '../lists.ts';
import { createCustomer, customerById, updateCustomer } from '../objects/customers.ts';
import { subscriptionById } from '../objects/subscriptions.ts';
import type { ApiRoutes } from './routes.ts';

/** Customers, and the links to the portal where they look after themselves. */
export function addCustomersApi({ options: { world, signedAddress }, get, list, post, patch }: ApiRoutes): void {
  list('/customers', (request) =>
    listPage({
      request,
      rows: Object.values(world.state.customers),
      idOf: ({ id }) => id,
      filters: { id: ({ id }) => id, email: ({ email }) => email, status: ({ status }) => status },
      order: 'DESC',
    }),
  );
  post('/customers', ({ fields }) => createCustomer(world, fields), 201);
  get('/customers/:id', ({ id }) => customerById(world, id));
  patch('/customers/:id', ({ id, fields }) => updateCustomer(world, id, fields));
  post(
    '/customers/:id/portal-sessions',
    ({ request, id, fields }) => {
      const customer = customerById(world, id);
      const portal = (rest = ''): string => signedAddress(request, `/portal/${customer.id}${rest}`);
      const ids = fields.has('subscription_ids') ? (request.body as { subscription_ids: string[] }).subscription_ids : [];
      return {
        id: world.newId('cpls'),
        customer_id: customer.id,
        urls: {
          general: { overview: portal() },
          subscriptions: ids.map((each) => {
            const { entity } = subscriptionById(world, String(each));
            return {
              id: entity.id,
              cancel_subscription: portal(`/cancel/${entity.id}`),
              update_subscription_payment_method: portal(`/card/${entity.id}`),
            };
          }),
        },
        created_at: world.moment(),
      };
    },
    201,
  );
}
