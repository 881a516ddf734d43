import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiRefusal } from '../api-error.ts';
import { fieldsOf } from '../request-fields.ts';
import type { SandboxWorld } from '../world.ts';
import { addCatalogApi } from './catalog-api.ts';
import { addCustomersApi } from './customers-api.ts';
import type { ApiCall, ApiOptions, ApiRoutes } from './routes.ts';
import { addSubscriptionsApi } from './subscriptions-api.ts';
import { addTransactionsApi } from './transactions-api.ts';

/** Paddle's API under this instance's prefix: its envelope, its errors, its bearer. */
export function addApi(http: FastifyInstance, options: ApiOptions): void {
  const { world, apiKey, stopping } = options;
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) => parsed(body));
  http.setErrorHandler((error: Error, request, reply) => refuse(request, reply, error));
  http.setNotFoundHandler((request, reply) => refuse(request, reply, new ApiRefusal(404, 'invalid_url', 'The URL is not valid.')));
  http.addHook('onRequest', async (request, reply) => {
    if (await isDown(world, stopping)) return reply.code(503).type('text/html').send('<html><body>Service unavailable</body></html>');
    authorize(request, apiKey);
    return undefined;
  });
  http.addHook('onSend', async () => options.save());
  const routes = routesOn(http, options);
  addCatalogApi(routes);
  addCustomersApi(routes);
  addTransactionsApi(routes);
  addSubscriptionsApi(routes);
}

function routesOn(http: FastifyInstance, options: ApiOptions): ApiRoutes {
  const answer = (reply: FastifyReply, request: FastifyRequest, data: object, more: object = {}): FastifyReply =>
    reply.header('cache-control', 'no-store').send({ data, meta: { request_id: request.id, ...more } });
  const callOf = (request: FastifyRequest): ApiCall => ({
    request,
    id: (request.params as { id?: string }).id ?? '',
    // Actions without a body are sent with none.
    fields: fieldsOf(request.body ?? {}),
  });
  return {
    options,
    get: (path, work) => void http.get(path, async (request, reply) => answer(reply, request, work(callOf(request)))),
    list: (path, work) =>
      void http.get(path, async (request, reply) => {
        const { data, pagination } = work(request);
        return answer(reply, request, data, { pagination });
      }),
    post: (path, work, status = 200) =>
      void http.post(path, async (request, reply) => answer(reply.code(status), request, work(callOf(request)))),
    patch: (path, work) => void http.patch(path, async (request, reply) => answer(reply, request, work(callOf(request)))),
  };
}

function parsed(body: string): unknown {
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    throw new ApiRefusal(400, 'bad_request', 'Invalid request.');
  }
}

function authorize({ headers: { authorization } }: FastifyRequest, apiKey: string): void {
  if (authorization === undefined) throw new ApiRefusal(403, 'authentication_missing', 'Authentication header missing.');
  const [, key] = /^bearer ([\w.-]+)$/i.exec(authorization) ?? [];
  if (key === undefined)
    throw new ApiRefusal(403, 'authentication_malformed', 'Authentication header included, but incorrectly formatted.');
  const [given, right] = [Buffer.from(key), Buffer.from(apiKey)];
  if (given.length !== right.length || !timingSafeEqual(given, right))
    throw new ApiRefusal(403, 'invalid_token', 'Authentication header included, but the API key is not valid.');
}

/** Whether the API is to be away now; where it is to hang, only after it has. */
async function isDown({ state: { faults } }: SandboxWorld, stopping: AbortSignal): Promise<boolean> {
  const { down } = faults;
  const left = (down?.until ?? 0) - Date.now();
  if (left <= 0) return false;
  if (down?.how === 'hangs')
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, left);
      stopping.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  return true;
}

function refuse(request: FastifyRequest, reply: FastifyReply, error: Error): FastifyReply {
  const refusal = error instanceof ApiRefusal ? error : undefined;
  if (!refusal) request.log.error({ err: error }, 'the payment sandbox failed');
  const code = refusal?.code ?? 'internal_error';
  return reply
    .code(refusal?.status ?? 500)
    .type('application/json')
    .serializer((body) => JSON.stringify(body))
    .send({
      error: {
        type: refusal ? 'request_error' : 'api_error',
        code,
        detail: refusal?.message ?? 'Something went wrong.',
        documentation_url: `https://developer.paddle.com/v1/errors/${code}`,
        ...(refusal && refusal.errors.length > 0 && { errors: refusal.errors }),
      },
      meta: { request_id: request.id },
    });
}
