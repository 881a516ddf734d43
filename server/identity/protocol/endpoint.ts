import { createHash } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from '#contract/errors.ts';
import { parseJson } from '../../kernel/json.ts';
import { refusalOf } from '../../kernel/problem.ts';
import { broken, PoolError, unknownAction } from '../pool/errors.ts';
import { ENDPOINT } from '../pool/pool.ts';
import type { Dependencies } from './action.ts';
import { ACTIONS } from './actions.ts';
import { createReplayCache, type ReplayCache } from './replay-cache.ts';

const AMZ_JSON = 'application/x-amz-json-1.1';
const MOST_BYTES = 16 * 1024;
const TARGET = /^AWSCognitoIdentityProviderService\.(\w{1,64})$/;
const INVOCATION = /^[\w-]{8,64}$/;

/** `POST /api/identity`: Cognito's protocol. Whatever happens, the answer is JSON with an error's name, because clients cannot read anything else. */
export function addWire(http: FastifyInstance, dependencies: Dependencies): void {
  const replays = createReplayCache(dependencies.now);

  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(AMZ_JSON, { parseAs: 'string' }, async (_request: FastifyRequest, body: string) => body);
    scope.addHook('onRequest', async ({ id }, reply) => {
      void reply.header('cache-control', 'no-store').header('x-amzn-requestid', id);
    });
    scope.setErrorHandler(sendError);
    scope.post(ENDPOINT, { bodyLimit: MOST_BYTES }, async (request, reply) =>
      send(reply, await answer(request, { dependencies, replays })),
    );
  });
}

async function answer(
  request: FastifyRequest,
  { dependencies, replays }: { dependencies: Dependencies; replays: ReplayCache },
): Promise<object> {
  const name = nameOf(request.headers['x-amz-target']);
  const action = ACTIONS.get(name);
  if (!action) throw unknownAction();
  request.trace.operation = `identity.${name}`;
  // The parser gives text; without a content type there is no body at all.
  const body = typeof request.body === 'string' ? request.body : '';
  const sent = parseJson(body);
  const idempotencyKey = idempotencyKeyOf(request, { name, body });
  const work = () => action.run(dependencies, sent, { address: request.ip, idempotencyKey, log: request.log });
  return action.isReplayed && idempotencyKey ? replays.once(idempotencyKey, work) : work();
}

function nameOf(target: string | string[] | undefined): string {
  return TARGET.exec(String(target))?.[1] ?? '';
}

function idempotencyKeyOf({ headers }: FastifyRequest, { name, body }: { name: string; body: string }): Buffer | undefined {
  const invocation = String(headers['amz-sdk-invocation-id'] ?? '');
  return INVOCATION.test(invocation)
    ? createHash('sha256')
        .update(JSON.stringify([invocation, name, body]))
        .digest()
    : undefined;
}

function send(reply: FastifyReply, body: object): FastifyReply {
  // As bytes: to text Fastify would add a charset, which this media type has not.
  return reply.type(AMZ_JSON).send(Buffer.from(JSON.stringify(body)));
}

function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const no = asPoolError(error);
  if (no.status === 500) request.log.error({ err: error, operation: request.trace.operation }, 'a bug');
  if (no.retryAfter !== undefined) void reply.header('retry-after', String(no.retryAfter));
  void reply.code(no.status).header('x-amzn-errortype', no.name);
  void send(reply, { __type: no.name, message: no.message });
}

/** What an error means to a client of the pool. */
function asPoolError(error: unknown): PoolError {
  if (error instanceof PoolError) return error;
  const refusal = refusalOf(error);
  return refusal ? translated(refusal) : broken();
}

/** Names that clients take for what they are: an internal error is tried again and costs nobody the session. */
function translated({ code, status, message, retryAfter }: Refusal): PoolError {
  switch (code) {
    case 'too-large':
      return new PoolError('RequestEntityTooLargeException', message, { status });
    case 'not-json':
      return new PoolError('UnsupportedMediaTypeException', `Please send ${AMZ_JSON}.`, { status });
    case 'overloaded':
    case 'database-away':
      return new PoolError('InternalErrorException', message, { status, retryAfter });
    default:
      return new PoolError('SerializationException', message);
  }
}
