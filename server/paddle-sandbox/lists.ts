import type { FastifyRequest } from 'fastify';
import { badField } from './api-error.ts';

/** The query of a list, as the wire has it. */
type ListQuery = Readonly<Record<string, string | undefined>>;

/** A page of a list, with the address of the next one. */
export interface ListPage {
  readonly data: readonly object[];
  readonly pagination: { readonly per_page: number; readonly next: string; readonly has_more: boolean; readonly estimated_total: number };
}

interface ListOptions<Row> {
  readonly request: FastifyRequest;
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** For each parameter that filters, what a row has there. */
  readonly filters: Readonly<Record<string, (row: Row) => string | null | undefined>>;
  readonly order: 'ASC' | 'DESC';
  readonly most?: number;
}

const USUAL = 50;

/** The rows that the query asks for, ordered by id. */
export function listPage<Row extends object>({ request, rows, idOf, filters, order, most = 200 }: ListOptions<Row>): ListPage {
  const query = request.query as ListQuery;
  const chosen = Object.entries(filters).map(([name, read]) => [query[name]?.split(','), read] as const);
  const found = rows.filter((row) => chosen.every(([values, read]) => !values || values.includes(read(row) ?? '')));
  const direction = orderOf(query['order_by'] ?? `id[${order}]`);
  const sorted = found.toSorted((a, b) => (idOf(a) < idOf(b) ? -direction : direction));
  const { after } = query;
  const rest = after === undefined ? sorted : sorted.filter((row) => (idOf(row) > after ? 1 : -1) === direction && idOf(row) !== after);
  const perPage = Math.min(most, Math.max(1, Math.floor(Number(query['per_page'] ?? USUAL)) || USUAL));
  const data = rest.slice(0, perPage);
  const last = data.at(-1);
  return {
    data,
    pagination: {
      per_page: perPage,
      next: addressAfter(request, last ? idOf(last) : (after ?? '')),
      has_more: rest.length > perPage,
      estimated_total: found.length,
    },
  };
}

function orderOf(text: string): 1 | -1 {
  const [, direction] = /^(?:id|created_at|updated_at|billed_at)\[(ASC|DESC)\]$/.exec(text) ?? [];
  if (direction === undefined) throw badField('order_by', 'must be id[ASC] or id[DESC]');
  return direction === 'ASC' ? 1 : -1;
}

/** The address of the page after an id, where the list itself was asked for. */
function addressAfter(request: FastifyRequest, after: string): string {
  const url = new URL(request.originalUrl, `${request.protocol}://${request.host}`);
  url.searchParams.set('after', after);
  return url.href;
}
