import { listPage } from '../lists.ts';
import { createPrice, createProduct, productById, productPrice } from '../objects/catalog.ts';
import type { ApiRoutes } from './routes.ts';

/** Products and prices. Those that were made for one transaction are listed only where they are asked for. */
export function addCatalogApi({ options: { world }, get, list, post }: ApiRoutes): void {
  const { state } = world;
  list('/products', (request) =>
    listPage({
      request,
      rows: Object.values(state.products).filter(({ type }) => wants(request.query, type)),
      idOf: ({ id }) => id,
      filters: { id: ({ id }) => id, status: ({ status }) => status, tax_category: ({ tax_category }) => tax_category },
      order: 'DESC',
    }),
  );
  post('/products', ({ fields }) => createProduct(world, fields), 201);
  get('/products/:id', ({ id }) => productById(world, id));
  list('/prices', (request) =>
    listPage({
      request,
      rows: Object.values(state.prices).filter(({ type }) => wants(request.query, type)),
      idOf: ({ id }) => id,
      filters: {
        id: ({ id }) => id,
        product_id: ({ product_id }) => product_id,
        status: ({ status }) => status,
        recurring: ({ billing_cycle }) => String(billing_cycle !== null),
      },
      order: 'DESC',
    }),
  );
  post('/prices', ({ fields }) => createPrice(world, fields), 201);
  get('/prices/:id', ({ id }) => productPrice(world, id));
}

const wants = (query: unknown, type: string | null | undefined): boolean =>
  ((query as { type?: string }).type ?? 'standard').split(',').includes(type ?? 'standard');
