import type { FastifyInstance } from 'fastify';
import { refusal } from '#contract/errors.ts';
import { ENDPOINT, type PoolNames } from '../pool/pool.ts';
import { ALGORITHM, type SigningKeys } from '../pool/signing-keys.ts';

/** A key is published a day before it signs, so a copy may be a few minutes old. */
const CACHED = 'public, max-age=300';

/** What others verify the pool's tokens with, where Cognito has it. */
export function addDiscovery(http: FastifyInstance, { names, keys }: { names: PoolNames; keys: SigningKeys }): void {
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
