import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPool, type TestPool } from '../../../../test/support/identity.ts';
import { cloneDatabase, type TestDatabase } from '../../../../test/support/postgres/database.ts';
import { ConfigError, readConfig } from '../../../platform/config/config.ts';
import { openSecret, secretFrom } from '../../../platform/secret.ts';
import { sealWith } from '../secrets/seal.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let folders: string[] = [];
let clones: TestDatabase[] = [];
let pools: TestPool[] = [];
beforeAll(() => {
  [folders, clones, pools] = [[], [], []];
});
afterAll(async () => {
  for (const pool of pools.toReversed()) await pool.stop();
  for (const clone of clones) await clone.drop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function folder(): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'afterword-keys-'));
  folders.push(dir);
  return dir;
}

async function track(pool: Promise<TestPool>): Promise<TestPool> {
  pools.push(await pool);
  return pool;
}

interface SampleToken {
  readonly token: string;
  readonly kid: string;
  readonly userId: string;
}
async function signIn(pool: TestPool): Promise<SampleToken> {
  const { email, sub } = await pool.add();
  const { AccessToken: token } = (await pool.signIn(email)).body.AuthenticationResult;
  return { token, kid: JSON.parse(Buffer.from(token.split('.')[0], 'base64url').toString()).kid, userId: `USER_${sub}` };
}

async function published({ http, identity }: TestPool): Promise<string[]> {
  const { body } = await http.inject(`/api/identity/${identity.config.userPoolId}/.well-known/jwks.json`);
  return JSON.parse(body).keys.map(({ kid }: { kid: string }) => kid);
}

describe('the pool', () => {
  it('is created once, with one key and one secret, by concurrent processes', async () => {
    const database = await cloneDatabase();
    clones.push(database);
    const dataDir = await folder();
    const pools = await Promise.all(Array.from({ length: 6 }, () => track(openTestPool({ database, dataDir }))));
    expect(new Set(pools.map(({ identity }) => JSON.stringify(identity.config))).size).toBe(1);
    expect(pools[0]?.identity.config).toEqual({
      userPoolId: expect.stringMatching(/^us-west-2_[A-Za-z0-9]{9}$/),
      userPoolClientId: expect.stringMatching(/^[a-z0-9]{26}$/),
      userPoolEndpoint: '/api/identity',
    });
    expect(await pools[0]?.stored('select 1 from identity_key')).toHaveLength(1);
    expect(await readdir(dataDir)).toEqual(['identity.secret']);
    expect((await stat(path.join(dataDir, 'identity.secret'))).mode & 0o777).toBe(0o600);
    const [first, last] = [pools[0], pools[5]];
    if (!first || !last) throw new Error('six were opened');
    const { token, userId } = await signIn(first);
    expect(await last.admitted(token)).toBe(userId);
  });

  it('can’t be read by the public form’s database role', async () => {
    const pool = await track(openTestPool());
    const tables = await pool.stored<{ name: string }>(
      "select relname as name from pg_class where relname like 'identity\\_%' and relkind = 'r'",
    );
    expect(tables).toHaveLength(14);
    for (const { name } of tables) {
      await expect(pool.database.intake({ text: `select 1 from ${name}` })).rejects.toMatchObject({ code: '42501' });
    }
    await expect(pool.database.intake({ text: 'delete from identity_user' })).rejects.toMatchObject({ code: '42501' });
  });
});

describe('signing keys', () => {
  it('are stored encrypted', async () => {
    const pool = await track(openTestPool({ settings: { IDENTITY_SECRET: 'a secret for this test, long enough' } }));
    const [row] = await pool.stored<{ id: string; private_key: Buffer; public_key: object }>(
      'select id, private_key, public_key from identity_key',
    );
    if (!row) throw new Error('there is a key');
    expect(row.private_key.toString('latin1')).not.toMatch(/"(?:d|p|q|kty)"/);
    expect(Object.keys(row.public_key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(sealWith(secretFrom('a secret for this test, long enougH')).decrypt(row.private_key, row.id)).toBeUndefined();
    expect(sealWith(secretFrom('a secret for this test, long enough')).decrypt(row.private_key, `${row.id}x`)).toBeUndefined();
    expect(sealWith(secretFrom('a secret for this test, long enough')).decrypt(row.private_key, row.id)).toContain('"d":');
  });

  it('are published from a day before they sign until a day after', async () => {
    const pool = await track(openTestPool());
    const otherProcess = await track(pool.openAnotherProcess());
    const first = await signIn(pool);
    expect(await published(pool)).toEqual([first.kid]);

    pool.advance(89 * DAY - 2 * HOUR);
    expect(await published(pool)).toEqual([first.kid]);

    pool.advance(2 * HOUR);
    const [, next] = await published(pool);
    expect(next).toEqual(expect.any(String));
    expect(await published(otherProcess)).toEqual([first.kid, next]);
    expect((await signIn(pool)).kid).toBe(first.kid);
    expect((await signIn(otherProcess)).kid).toBe(first.kid);

    pool.advance(DAY - 10 * MINUTE);
    const last = await signIn(pool);
    expect(last.kid).toBe(first.kid);

    pool.advance(11 * MINUTE);
    const new_ = await signIn(otherProcess);
    expect(new_.kid).toBe(next);
    expect((await signIn(pool)).kid).toBe(next);
    for (const each of [pool, otherProcess]) {
      expect(await each.admitted(last.token)).toBe(last.userId);
      expect(await each.admitted(new_.token)).toBe(new_.userId);
    }

    // A read deletes old keys, and the next read shows it.
    pool.advance(DAY - 20 * MINUTE);
    await published(pool);
    pool.advance(6 * MINUTE);
    expect(await published(pool)).toEqual([first.kid, next]);
    pool.advance(HOUR);
    await published(pool);
    pool.advance(6 * MINUTE);
    expect(await published(pool)).toEqual([next]);
    expect(await published(otherProcess)).toEqual([next]);
  });

  it('work at once after a long pause', async () => {
    const pool = await track(openTestPool());
    const first = await signIn(pool);
    pool.advance(400 * DAY);
    const later = await signIn(pool);
    expect(later.kid).toBe(first.kid);
    expect(await pool.admitted(later.token)).toBe(later.userId);
    expect(await published(pool)).toHaveLength(2);
    pool.advance(DAY + MINUTE);
    expect((await signIn(pool)).kid).not.toBe(first.kid);
  });

  it('of a lost secret are logged and replaced, and processes with different secrets accept each other’s tokens', async () => {
    const pool = await track(openTestPool());
    const before = await signIn(pool);
    const otherSecretPool = await track(pool.openAnotherProcess({ DATA_DIR: await folder() }));
    expect(otherSecretPool.log.join('')).toContain('encrypted with a different secret');
    expect(pool.log.join('')).not.toContain('encrypted with a different secret');
    expect(otherSecretPool.identity.config).toEqual(pool.identity.config);
    const after = await signIn(otherSecretPool);
    expect(after.kid).not.toBe(before.kid);
    expect(await otherSecretPool.admitted(before.token)).toBe(before.userId);
    // The first process doesn't have that key yet, so it reads the keys again.
    pool.advance(3_000);
    expect(await pool.admitted(after.token)).toBe(after.userId);
    // The key that is no longer used is deleted.
    otherSecretPool.advance(2 * DAY);
    await published(otherSecretPool);
    otherSecretPool.advance(10 * MINUTE);
    expect(await published(otherSecretPool)).toEqual([after.kid]);
  });

  it('that are damaged are logged and replaced', async () => {
    const pool = await track(openTestPool());
    const before = await signIn(pool);
    await pool.stored("update identity_key set private_key = private_key || 'x'");
    const restarted = await track(pool.openAnotherProcess());
    expect(restarted.log.join('')).toContain('signing keys in the database are damaged');
    const after = await signIn(restarted);
    expect(after.kid).not.toBe(before.kid);
    expect(await restarted.admitted(after.token)).toBe(after.userId);
    expect(await restarted.admitted(before.token)).toBe(before.userId);
  });

  it('are read once for many tokens with unknown keys', async () => {
    const pool = await track(openTestPool());
    const { token } = await signIn(pool);
    const [, payload, signature] = token.split('.');
    const forgedToken = (index: number) =>
      [Buffer.from(JSON.stringify({ alg: 'RS256', kid: `made-up-${index}` })).toString('base64url'), payload, signature].join('.');
    const { transaction } = pool.database;
    let transactions = 0;
    Object.assign(pool.database, {
      transaction: (...sent: Parameters<typeof transaction>) => {
        transactions += 1;
        return transaction(...sent);
      },
    });
    pool.advance(3_000);
    const verifications = Array.from({ length: 50 }, (_, index) => pool.identity.authenticator.verifyToken(forgedToken(index)));
    const outcomes = await Promise.allSettled(verifications);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'not-signed-in' } });
    // One to read, one to delete old keys.
    expect(transactions).toBe(2);
  });
});

describe('the discovery documents', () => {
  it('are at Cognito’s paths, for this pool only', async () => {
    const pool = await track(openTestPool());
    const { userPoolId } = pool.identity.config;
    const read = async (url: string) => {
      const { statusCode, body } = await pool.http.inject(url);
      return [statusCode, JSON.parse(body)];
    };
    const [status, document] = await read(`/api/identity/${userPoolId}/.well-known/openid-configuration`);
    expect([status, document]).toEqual([
      200,
      expect.objectContaining({
        issuer: `http://pool.test/api/identity/${userPoolId}`,
        jwks_uri: `http://pool.test/api/identity/${userPoolId}/.well-known/jwks.json`,
      }),
    ]);
    const [, { keys }] = await read(new URL(document.jwks_uri).pathname);
    expect(keys).toEqual([{ kty: 'RSA', alg: 'RS256', use: 'sig', kid: expect.any(String), n: expect.any(String), e: 'AQAB' }]);
    expect((await read('/api/identity/us-west-2_another00/.well-known/jwks.json'))[0]).toBe(404);
  });
});

describe('the secret', () => {
  it('has at least 32 characters and is never shown', () => {
    expect(() => readConfig({ IDENTITY_SECRET: 'too short, and still secret' })).toThrow(ConfigError);
    expect(() => readConfig({ IDENTITY_SECRET: 'too short, and still secret' })).toThrow(
      /^IDENTITY_SECRET is "…"; it should be at least 32 characters\.$/,
    );
  });

  it('is created once and stored', async () => {
    const dataDir = await folder();
    const secrets = await Promise.all(Array.from({ length: 8 }, () => openSecret({ identitySecret: undefined, dataDir })));
    expect(new Set(secrets.map(({ name }) => name)).size).toBe(1);
    const stored = await readFile(path.join(dataDir, 'identity.secret'), 'utf8');
    expect((await openSecret({ identitySecret: stored.trim(), dataDir: '/nowhere' })).name).toBe(secrets[0]?.name);
  });

  it('decrypts data of earlier versions', () => {
    const seal = sealWith(secretFrom('a secret for this test, long enough'));
    const sealed = Buffer.from('WX2yCTfp/IKmPxT3hfcqsphOI5K1PPHYrnjlNQ5vT2kY', 'base64');
    expect(seal.decrypt(sealed, 'its id')).toBe('a key');
    expect(seal.name).toBe('478fb930e2ba5c68');
    expect(seal.mac('471193').toString('base64')).toBe('kOAIxbfRiV9iymf2TnTf0ppME/eF6h0zHstgUk/2IqM=');
  });

  it('is rejected if the file is cut short', async () => {
    const dataDir = await folder();
    await writeFile(path.join(dataDir, 'identity.secret'), 'short');
    await expect(openSecret({ identitySecret: undefined, dataDir })).rejects.toThrow(/identity\.secret is damaged/);
  });
});
