import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { refusal } from '#contract/core/errors.ts';
import { parseJson } from '../../platform/http/json.ts';
import { hostOf } from '../../platform/http/network.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { Dependencies } from '../pool/dependencies.ts';
import { PoolError } from '../pool/errors.ts';
import { ENDPOINT } from '../pool/pool.ts';
import { ALGORITHM } from '../pool/sessions/signing-keys.ts';
import { accountActions, secondFactorActions } from './account.ts';
import type { Action } from './action.ts';
import { AMZ_JSON, asPoolError, unknownAction } from './errors.ts';
import { signInActions } from './sign-in.ts';
import { attributeActions, deviceActions } from './user.ts';

/** Every action of the protocol that the pool implements. */
export const ACTIONS: ReadonlyMap<string, Action> = new Map(
  Object.entries({ ...signInActions, ...accountActions, ...secondFactorActions, ...attributeActions, ...deviceActions }),
);

/** The body of a call of the user pool (bytes). @limit pool-body */
const MOST_BYTES = 16 * 1024;
const TARGET = /^AWSCognitoIdentityProviderService\.(\w{1,64})$/;
const INVOCATION = /^[\w-]{8,64}$/;

/** Adds `POST /api/identity`, Cognito's protocol. Every error is JSON with a name, because clients can't read anything else. */
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
  // The parser returns text; without a content type there is no body.
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
  return INVOCATION.test(invocation) ? sha256(JSON.stringify([invocation, name, body])) : undefined;
}

function send(reply: FastifyReply, body: object): FastifyReply {
  // Sent as bytes, because Fastify adds a charset to text, which this media type doesn't have.
  return reply.type(AMZ_JSON).send(Buffer.from(JSON.stringify(body)));
}

function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const { name, message, status, retryAfter } = asPoolError(error);
  if (status === 500) request.log.error({ err: error, operation: request.trace.operation }, 'a bug');
  if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
  void reply.code(status).header('x-amzn-errortype', name);
  void send(reply, { __type: name, message });
}

const MOST_REPLAYS = 5_000;
/** How long a client may retry a call (ms; docs/protocols.md#retries). @limit replays */
const REPLAYED_FOR = 60_000;

/**
 * Caches the answers of calls, so that a retry after a lost response gets the same answer instead of doing the work twice.
 * The key covers the whole body with its secrets, so only a caller who knows them gets the cached answer.
 */
interface ReplayCache {
  once(key: Buffer, work: () => Promise<object>): Promise<object>;
}

function createReplayCache(now: () => number): ReplayCache {
  const answers = new LRUCache<string, Promise<object>>({ max: MOST_REPLAYS, ttl: REPLAYED_FOR, ttlResolution: 0, perf: { now } });
  return {
    once(key, work) {
      const name = key.toString('base64');
      const cached = answers.get(name);
      if (cached) return cached;
      const answer = work();
      answers.set(name, answer);
      answer.catch((error: unknown) => {
        if (!isFinal(error) && answers.peek(name) === answer) answers.delete(name);
      });
      return answer;
    },
  };
}

/** Returns whether a retry would get the same answer. */
const isFinal = (error: unknown): boolean => error instanceof PoolError && error.status === 400 && error.name !== 'LimitExceededException';

/** A key is published a day before it signs, so caches may be a few minutes behind. */
const CACHED = 'public, max-age=300';

/** Adds the documents for verifying the pool's tokens, at the same paths as Cognito's. */
export function addDiscovery(http: FastifyInstance, { names, keys }: Pick<Dependencies, 'names' | 'keys'>): void {
  const add = <Document extends object>(name: string, document: () => Promise<Document>) =>
    http.get<{ Params: { poolId: string } }>(`${ENDPOINT}/:poolId/.well-known/${name}`, async ({ params }, reply) => {
      if (params.poolId !== names.id) throw refusal('not-found');
      return reply.header('cache-control', CACHED).send(await document());
    });

  add('jwks.json', async () => ({ keys: await keys.published() }));
  add('openid-configuration', async () => ({
    issuer: names.issuer,
    jwks_uri: `${names.issuer}/.well-known/jwks.json`,
    id_token_signing_alg_values_supported: [ALGORITHM],
    response_types_supported: ['token'],
    subject_types_supported: ['public'],
  }));
}
