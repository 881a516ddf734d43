import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Kernel } from '../../kernel/context.ts';
import type { KeyRow } from './pool-store.ts';
import * as store from './pool-store.ts';
import type { Seal } from './seal.ts';

export const ALGORITHM = 'RS256';
const BITS = 2048;

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
/** How long one key signs. */
const TERM = 90 * DAY;
/** A key is known everywhere for this long before it signs. */
const LEAD = DAY;
/** Each process looks at the keys this often, */
const FRESH = 5 * MINUTE;
/** and says for how long it signs without looking again. */
const NOTICE = 3 * FRESH;
/** A key is known for this long after its last signature; tokens live for an hour. */
const KEPT = DAY;
/** A token that names a key we have not heard of makes us look, but not more often than this. */
const SHORTEST = 2_000;

/** The key that signs now. */
export interface Signer {
  readonly id: string;
  readonly key: CryptoKey;
}

/** The pool's signing keys, shared by all processes through the database, and turned in good time. */
export interface Keys {
  signer(): Promise<Signer>;
  /** The public part that a token names; undefined when it is none of ours. */
  publicKey(id: string): Promise<CryptoKey | undefined>;
  /** What others may verify tokens with. */
  published(): Promise<JWK[]>;
}

interface KeysOptions {
  readonly kernel: Pick<Kernel, 'database' | 'log' | 'now'>;
  readonly seal: Seal;
}

interface Ring {
  readonly read: number;
  /** Of our own secret, oldest first. */
  readonly signers: readonly (Signer & { readonly from: number })[];
  readonly publicKeys: ReadonlyMap<string, { readonly key: CryptoKey; readonly jwk: JWK }>;
}

export async function openKeys({ kernel: { database, log, now }, seal }: KeysOptions): Promise<Keys> {
  let ring: Ring = { read: Number.NEGATIVE_INFINITY, signers: [], publicKeys: new Map() };
  let reading: Promise<Ring> | undefined;
  let knownLosses = new Set<string>();
  await ringWithin(0);

  return {
    async signer() {
      return signerOf(await ringWithin(FRESH), now());
    },
    async publicKey(id) {
      const known = (await ringWithin(FRESH)).publicKeys.get(id);
      // Here an error is an error: a token is not called false because the database is away.
      return (known ?? (await ringNow(SHORTEST)).publicKeys.get(id))?.key;
    },
    async published() {
      return [...(await ringWithin(FRESH)).publicKeys.values()].map(({ jwk }) => jwk);
    },
  };

  /** The keys as they were at most `age` ms ago. While the database is away the last ones known have to do. */
  async function ringWithin(age: number): Promise<Ring> {
    try {
      return await ringNow(age);
    } catch (error) {
      if (ring.signers.length === 0) throw error;
      log.warn({ err: error }, 'the signing keys could not be read again');
      return ring;
    }
  }

  async function ringNow(age: number): Promise<Ring> {
    if (Math.abs(now() - ring.read) < age) return ring;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function read(): Promise<Ring> {
    const at = now();
    let rows = await database.transaction({}, store.allKeys);
    const next = nextKey(ours(rows), at);
    if (next) {
      await make(next);
      rows = await database.transaction({}, store.allKeys);
    }
    ring = { read: at, signers: await opened(ours(rows)), publicKeys: await imported(rows) };
    await settle(signerOf(ring, at).id, at);
    return ring;
  }

  /** Those that we can sign with. */
  function ours(rows: readonly KeyRow[]): Own[] {
    const lost = rows.filter(({ sealedBy }) => sealedBy !== seal.name);
    warnOfLost(lost);
    return rows
      .filter(({ sealedBy }) => sealedBy === seal.name)
      .map((row) => ({ row, privateKey: seal.decrypt(row.privateKey, row.id) }))
      .map(({ row, privateKey }) => ({ ...row, jwk: privateKey }));
  }

  function warnOfLost(lost: readonly KeyRow[]): void {
    const fresh = lost.filter(({ id }) => !knownLosses.has(id));
    knownLosses = new Set(lost.map(({ id }) => id));
    if (fresh.length === 0) return;
    log.warn(
      { keys: fresh.length },
      'signing keys in the database were sealed with another secret, so this process signs with a new one; set IDENTITY_SECRET to the same value for every process, or bring back identity.secret',
    );
  }

  async function opened(own: readonly Own[]): Promise<Ring['signers']> {
    const usable = own.filter((row): row is Own & { jwk: string } => row.jwk !== undefined);
    if (usable.length < own.length) log.error({ keys: own.length - usable.length }, 'signing keys in the database are damaged');
    return Promise.all(usable.map(async ({ id, jwk, signsFrom }) => ({ id, from: signsFrom.getTime(), key: await privateKeyOf(jwk) })));
  }

  async function make({ generation, signsFrom }: Next): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { modulusLength: BITS, extractable: true });
    const publicJwk = await exportJWK(publicKey);
    const id = await calculateJwkThumbprint(publicJwk);
    const row: KeyRow = {
      id,
      sealedBy: seal.name,
      generation,
      publicKey: { ...publicJwk, kid: id, alg: ALGORITHM, use: 'sig' },
      privateKey: seal.encrypt(JSON.stringify(await exportJWK(privateKey)), id),
      signsFrom: new Date(signsFrom),
      signsUntil: new Date(signsFrom),
    };
    const isFirst = await database.transaction({}, (db) => store.addKey(db, row));
    if (isFirst) log.info({ generation, signsFrom: row.signsFrom }, 'a signing key was made');
  }

  async function settle(signing: string, at: number): Promise<void> {
    await database.transaction({}, async (db) => {
      await store.signsUntil(db, signing, new Date(at + NOTICE));
      await store.removeUnusedKeys(db, { before: new Date(at - KEPT), except: signing });
    });
  }
}

type Own = KeyRow & { readonly jwk: string | undefined };

interface Next {
  readonly generation: number;
  readonly signsFrom: number;
}

/** The key that has to be made now, if any: at once where none can sign, else in good time before the term ends. */
export function nextKey(own: readonly Pick<Own, 'generation' | 'signsFrom' | 'jwk'>[], now: number): Next | undefined {
  const generation = Math.max(0, ...own.map((each) => each.generation)) + 1;
  const usable = own.filter(({ jwk }) => jwk !== undefined).map(({ signsFrom }) => signsFrom.getTime());
  // A little earlier, for processes whose clocks are behind.
  if (!usable.some((from) => from <= now)) return { generation, signsFrom: now - HOUR };
  const ends = Math.max(...usable) + TERM;
  return now >= ends - LEAD ? { generation, signsFrom: Math.max(ends, now + LEAD) } : undefined;
}

/** The youngest key whose time has come. */
function signerOf({ signers }: Pick<Ring, 'signers'>, now: number): Signer {
  const signer = signers.filter(({ from }) => from <= now).at(-1) ?? signers[0];
  if (!signer) throw new Error('There is no signing key.');
  return signer;
}

async function imported(rows: readonly KeyRow[]): Promise<Ring['publicKeys']> {
  const entries = rows.map(async ({ id, publicKey }) => [id, { key: await cryptoKeyOf(publicKey), jwk: publicKey }] as const);
  return new Map(await Promise.all(entries));
}

const privateKeyOf = (jwk: string): Promise<CryptoKey> => cryptoKeyOf(JSON.parse(jwk));

async function cryptoKeyOf(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('A signing key is not a pair.');
  return key;
}
