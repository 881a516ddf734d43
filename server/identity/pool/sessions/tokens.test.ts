import { createPublicKey, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { base64url, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPool, type TestPool } from '../../../../test/support/identity.ts';
import { secretFrom } from '../../../platform/secret.ts';
import { sealWith } from '../secrets/seal.ts';

const SECRET = 'the secret of these tests, long enough';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

let pool: TestPool;
let sub: string;
let validToken: string;
let signingKey: { id: string; key: CryptoKey; publicKey: JWK };
let claims: JWTPayload;
beforeAll(async () => {
  pool = await openTestPool({ settings: { IDENTITY_SECRET: SECRET } });
  const person = await pool.add();
  sub = person.sub;
  const { AccessToken } = (await pool.signIn(person.email)).body.AuthenticationResult;
  validToken = AccessToken;
  claims = payloadOf(validToken);
  signingKey = await ourKey();
});
afterAll(() => pool.stop());

/** Signs a token with our own key, so that only its content can be wrong. */
const signed = (change: JWTPayload = {}, header: object = {}): Promise<string> =>
  new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: 'RS256', kid: signingKey.id, ...header }).sign(signingKey.key);

async function expectRejection(token: string, message = 'Invalid Access Token'): Promise<void> {
  await expect(pool.identity.authenticator.verifyToken(token)).rejects.toMatchObject({ code: 'not-signed-in' });
  expect(await pool.admitted(token)).toBe('not-signed-in');
  const { status, body } = await pool.call('GetUser', { AccessToken: token });
  expect(status).toBe(400);
  expect(body).toEqual({ __type: 'NotAuthorizedException', message });
}

describe('an access token', () => {
  it('is accepted if it is unchanged, even when signed by this test', async () => {
    expect(await pool.admitted(validToken)).toBe(`USER_${sub}`);
    expect(await pool.admitted(await signed())).toBe(`USER_${sub}`);
    expect((await pool.call('GetUser', { AccessToken: validToken })).body.Username).toBe(sub);
  });

  it.each<[string, () => string | Promise<string>]>([
    ['unsigned', () => unsigned('none')],
    ['unsigned, in mixed case', () => unsigned('nOnE')],
    [
      'signed with the public key as a password (PEM)',
      () => withPassword(createPublicKey({ key: signingKey.publicKey, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString()),
    ],
    ['signed with the public key as a password (JWK)', () => withPassword(JSON.stringify(signingKey.publicKey))],
    [
      'signed by a stranger in our name',
      async () => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: signingKey.id }).sign((await strangers()).privateKey),
    ],
    [
      'signed by a stranger with their own key id',
      async () => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'stranger' }).sign((await strangers()).privateKey),
    ],
    [
      'with an embedded key',
      async () => {
        const { privateKey, publicKey } = await strangers();
        return new SignJWT(claims)
          .setProtectedHeader({ alg: 'RS256', kid: signingKey.id, jwk: await exportJWK(publicKey) })
          .sign(privateKey);
      },
    ],
    ['of our key with an embedded key', () => signed({}, { jwk: signingKey.publicKey })],
    ['of our key with the address of a key', () => signed({}, { jku: 'https://attacker.test/jwks.json' })],
    ['of our key with the address of a certificate', () => signed({}, { x5u: 'https://attacker.test/cert.pem' })],
    [
      'of our key with another algorithm',
      async () => {
        const key = await importJWK({ ...(await ourPrivateJwk()), alg: 'PS256' }, 'PS256');
        return new SignJWT(claims).setProtectedHeader({ alg: 'PS256', kid: signingKey.id }).sign(key);
      },
    ],
    ['without a key id', () => signed({}, { kid: undefined })],
    ['with a path as the key id', () => signed({}, { kid: '../../dev/null' })],
    ['with a property of every object as the key id', () => signed({}, { kid: '__proto__' })],
    ['of another issuer', () => signed({ iss: String(claims.iss).replace('pool.test', 'other.test') })],
    ['of another pool', () => signed({ iss: `${claims.iss}x` })],
    ['without an issuer', () => signed({ iss: undefined } as unknown as JWTPayload)],
    ['for another client', () => signed({ client_id: 'another' })],
    ['for a list of clients', () => signed({ client_id: [claims['client_id']] })],
    ['for an audience instead of a client', () => signed({ client_id: undefined, aud: String(claims['client_id']) })],
    ['for another use', () => signed({ token_use: 'id' })],
    ['for any use', () => signed({ token_use: undefined })],
    ['that never expires', () => signed({ exp: undefined } as unknown as JWTPayload)],
    ['that is not valid yet', () => signed({ nbf: Math.floor(Date.now() / 1000) + 600 })],
    ['without a subject', () => signed({ sub: undefined } as unknown as JWTPayload)],
    ['with a malformed subject', () => signed({ sub: "x' or true --" })],
    ['with a malformed session', () => signed({ origin_jti: 'x' })],
    ['with groups that are no list', () => signed({ 'cognito:groups': 'operator' })],
    ['without a signature', () => validToken.replace(/\.[^.]*$/, '.')],
    ['with an extra part', () => `${validToken}.e30`],
    ['with a missing part', () => validToken.replace(/\.[^.]*$/, '')],
    ['with another subject under the old signature', () => tamperedToken({ sub: randomUUID() })],
    ['with the operator group under the old signature', () => tamperedToken({ 'cognito:groups': ['operator'] })],
    ['that is no token', () => 'e30.e30.e30'],
  ])('is rejected: %s', async (_name, make) => expectRejection(await make()));

  it('is rejected: an id token', async () => {
    const { email } = await pool.add();
    await expectRejection((await pool.signIn(email)).body.AuthenticationResult.IdToken);
  });

  it('is rejected: of an unknown session or another person’s', async () => {
    const otherUser = await pool.add();
    for (const change of [{ origin_jti: randomUUID() }, { sub: otherUser.sub }]) {
      const AccessToken = await signed(change);
      expect(await pool.admitted(AccessToken)).toBe('not-signed-in');
      expect((await pool.call('GetUser', { AccessToken })).body.message).toBe('Access Token has been revoked');
    }
  });

  it('is rejected an hour after it was issued', async () => {
    const { email, sub } = await pool.add();
    const { AccessToken } = (await pool.signIn(email)).body.AuthenticationResult;
    pool.advance(HOUR - SECOND);
    expect(await pool.admitted(AccessToken)).toBe(`USER_${sub}`);
    pool.advance(2 * SECOND);
    await expectRejection(AccessToken, 'Access Token has expired');
    pool.advance(-HOUR - SECOND);
  });

  it('is rejected with any letter changed', async () => {
    const letters = validToken.length;
    // The last letter of the signature has unused bits.
    const places = fc.integer({ min: 0, max: letters - 2 }).filter((index) => validToken[index] !== '.');
    const letter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
    await fc.assert(
      fc.asyncProperty(places, letter, async (index, other) => {
        fc.pre(validToken[index] !== other);
        await expect(
          pool.identity.authenticator.verifyToken(validToken.slice(0, index) + other + validToken.slice(index + 1)),
        ).rejects.toMatchObject({
          code: 'not-signed-in',
        });
      }),
      { numRuns: 300 },
    );
  });
});

const payloadOf = (token: string): JWTPayload => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

async function ourPrivateJwk(): Promise<JWK> {
  const [row] = await pool.stored<{ id: string; private_key: Buffer }>('select id, private_key from identity_key');
  return JSON.parse(sealWith(secretFrom(SECRET)).decrypt(row?.private_key ?? Buffer.alloc(0), row?.id ?? '') ?? '');
}

async function ourKey() {
  const [row] = await pool.stored<{ id: string; public_key: JWK }>('select id, public_key from identity_key');
  // An RSA key is never a secret of bytes.
  return { id: row?.id ?? '', publicKey: row?.public_key ?? {}, key: (await importJWK(await ourPrivateJwk(), 'RS256')) as CryptoKey };
}

const strangers = () => generateKeyPair('RS256');

function unsigned(alg: string): string {
  const [, payload] = validToken.split('.');
  return `${base64url.encode(JSON.stringify({ alg, kid: signingKey.id }))}.${payload}.`;
}

const withPassword = (password: string): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: signingKey.id }).sign(new TextEncoder().encode(password));

function tamperedToken(change: JWTPayload): string {
  const [head, , signature] = validToken.split('.');
  return [head, base64url.encode(JSON.stringify({ ...claims, ...change })), signature].join('.');
}
