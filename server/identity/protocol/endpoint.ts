import { createHash } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { refusal } from '#contract/core/errors.ts';
import { parseJson } from '../../platform/http/json.ts';
import { hostOf } from '../../platform/http/network.ts';
import type { Dependencies } from '../pool/dependencies.ts';
import { PoolError } from '../pool/errors.ts';
import { ENDPOINT } from '../pool/pool.ts';
import { ALGORITHM } from '../pool/sessions/signing-keys.ts';
import { accountActions, secondFactorActions } from './account.ts';
import type { Action } from './action.ts';
import { AMZ_JSON, asPoolError, unknownAction } from './errors.ts';
import { signInActions } from './sign-in.ts';
import { attributeActions, deviceActions } from './user.ts';

/** Every word of the protocol that the pool understands. */
export const ACTIONS: ReadonlyMap<string, Action> = new Map(
  Object.entries({ ...signInActions, ...accountActions, ...secondFactorActions, ...attributeActions, ...deviceActions }),
);

const MOST_BYTES = 16 * 1024;
const TARGET = /^AWSCognitoIdentityProviderService\.(\w{1,64})$/;
const INVOCATION = /^[\w-]{8,64}$/;

/** `POST /api/identity`: Cognito's protocol. Whatever happens, the answer is JSON with an error's name, because clients cannot read anything else. */
export function addEndpoint(http: FastifyInstance, dependencies: Dependencies): void {
  const replays = createReplayCache(dependencies.now);

  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(AMZ_JSON, { parseAs: 'string' }, async (_request: FastifyRequest, body: string) => body);
    scope.addHook('onRequest', async ({ id }, reply) => {
      void reply.header('cache-control', 'no-store').header('x-amzn-requestid', id);
    });
    scope.setErrorHandler(sendError);
    scope.post(ENDPOINT, { bodyLimit: MOST_BYTES, config: { sheds: 'sign-in' } }, async (request, reply) =>
      send(reply, await answer(request, { dependencies, replays })),
    );
  });
}

interface OpenEndpoint {
  readonly dependencies: Dependencies;
  readonly replays: ReplayCache;
}

async function answer(request: FastifyRequest, { dependencies, replays }: OpenEndpoint): Promise<object> {
  const name = TARGET.exec(String(request.headers['x-amz-target']))?.[1] ?? '';
  const action = ACTIONS.get(name);
  if (!action) throw unknownAction();
  request.trace.operation = `identity.${name}`;
  // The parser gives text; without a content type there is no body at all.
  const body = typeof request.body === 'string' ? request.body : '';
  const sent = parseJson(body);
  const idempotencyKey = idempotencyKeyOf(request, { name, body });
  const context = { address: request.ip, idempotencyKey, agent: request.headers['user-agent'] ?? '', log: request.log };
  const { fairQueue } = dependencies.database;
  const work = () => fairQueue.run(`network ${hostOf(request.ip)}`, () => action.run(dependencies, sent, context));
  return action.isReplayed && idempotencyKey ? replays.once(idempotencyKey, work) : work();
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
  const refused = asPoolError(error);
  if (refused.status === 500) request.log.error({ err: error, operation: request.trace.operation }, 'a bug');
  if (refused.retryAfter !== undefined) void reply.header('retry-after', String(refused.retryAfter));
  void reply.code(refused.status).header('x-amzn-errortype', refused.name);
  void send(reply, { __type: refused.name, message: refused.message });
}

const MOST_REPLAYS = 5_000;
/** How long a client may go on repeating a call (ms; docs/protocols.md#retries). */
const REPLAYED_FOR = 60_000;

/**
 * Remembers what a call was answered, so that a repetition whose first answer was lost gets it again instead of doing
 * the work twice. The key covers the whole body with its secrets: whoever can name it knew all that the answer rests on.
 */
interface ReplayCache {
  once(key: Buffer, work: () => Promise<object>): Promise<object>;
}

function createReplayCache(now: () => number): ReplayCache {
  const answers = new LRUCache<string, Promise<object>>({ max: MOST_REPLAYS, ttl: REPLAYED_FOR, ttlResolution: 0, perf: { now } });
  return {
    once(key, work) {
      const name = key.toString('base64');
      const known = answers.get(name);
      if (known) return known;
      const answer = work();
      answers.set(name, answer);
      answer.catch((error: unknown) => {
        if (!isFinal(error) && answers.peek(name) === answer) answers.delete(name);
      });
      return answer;
    },
  };
}

/** Whether trying again would get the same answer. */
const isFinal = (error: unknown): boolean => error instanceof PoolError && error.status === 400 && error.name !== 'LimitExceededException';

/** A key is published a day before it signs, so a copy may be a few minutes old. */
const CACHED = 'public, max-age=300';

/** What others verify the pool's tokens with, where Cognito has it. */
export function addDiscovery(http: FastifyInstance, { names, keys }: Pick<Dependencies, 'names' | 'keys'>): void {
  const at = <Document extends object>(name: string, document: () => Promise<Document>) =>
    http.get<{ Params: { poolId: string } }>(`${ENDPOINT}/:poolId/.well-known/${name}`, async ({ params }, reply) => {
      if (params.poolId !== names.id) throw refusal('not-found');
      return reply.header('cache-control', CACHED).send(await document());
    });

  at('jwks.json', async () => ({ keys: await keys.published() }));
  at('openid-configuration', async () => ({
    issuer: names.issuer,
    jwks_uri: `${names.issuer}/.well-known/jwks.json`,
    id_token_signing_alg_values_supported: [ALGORITHM],
    response_types_supported: ['token'],
    subject_types_supported: ['public'],
  }));
}
