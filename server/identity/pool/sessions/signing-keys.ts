import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { DAY, HOUR } from '#contract/core/time.ts';
import type { Platform } from '../../../platform/context.ts';
import { warnSeldom } from '../../../platform/log/log.ts';
import type { KeyRow } from '../pool-store.ts';
import * as store from '../pool-store.ts';
import type { Seal } from '../secrets/seal.ts';

export const ALGORITHM = 'RS256';
const BITS = 2048;

const MINUTE = 60_000;
/** How long one key signs. */
const TERM = 90 * DAY;
/** A key is known everywhere for this long before it signs. */
const LEAD = DAY;
/** Each process looks at the keys this often. */
const FRESH = 5 * MINUTE;
/** Each process announces for how long it signs without looking again. */
const NOTICE = 3 * FRESH;
/** A key is known for this long after its last signature; tokens live for an hour. */
const KEPT = DAY;
/** A token that names a key that is unknown here makes us look, but not more often than this. */
const SHORTEST = 2_000;

/** The key that signs now. */
interface Signer {
  readonly id: string;
  readonly key: CryptoKey;
}

/** The pool's signing keys, shared by all processes through the database, and rotated in good time. */
export interface SigningKeys {
  signer(): Promise<Signer>;
  /** The public part that a token names; undefined when it is none of ours. */
  publicKey(id: string): Promise<CryptoKey | undefined>;
  /** What others may verify tokens with. */
  published(): Promise<JWK[]>;
}

interface SigningKeysOptions {
  readonly platform: Pick<Platform, 'database' | 'log' | 'now'>;
  readonly seal: Seal;
}

export async function openSigningKeys(options: SigningKeysOptions): Promise<SigningKeys> {
  const { now } = options.platform;
  const rings = openRings(options);
  await rings.within(0);
  return {
    async signer() {
      return signerOf(await rings.within(FRESH), now());
    },
    async publicKey(id) {
      const known = (await rings.within(FRESH)).publicKeys.get(id);
      // Here an error is an error: a token is not called false because the database is away.
      return (known ?? (await rings.readWithin(SHORTEST)).publicKeys.get(id))?.key;
    },
    async published() {
      return [...(await rings.within(FRESH)).publicKeys.values()].map(({ jwk }) => jwk);
    },
  };
}

/** The keys as they were at one moment. */
interface KeyRing {
  readonly read: number;
  /** Those that our own secret decrypts, oldest first. */
  readonly signers: readonly (Signer & { readonly from: number })[];
  readonly publicKeys: ReadonlyMap<string, { readonly key: CryptoKey; readonly jwk: JWK }>;
}

function openRings({ platform, seal }: SigningKeysOptions) {
  let ring: KeyRing = { read: Number.NEGATIVE_INFINITY, signers: [], publicKeys: new Map() };
  let reading: Promise<KeyRing> | undefined;
  const warnOfRead = warnSeldom(platform.log, 'the signing keys could not be read again');
  const reader: KeyReader = { platform, seal, warnOfLost: warnOnce(platform.log) };
  return { readWithin, within };

  /** The keys as they were at most `age` ms ago. While the database is away the last ones known have to do. */
  async function within(age: number): Promise<KeyRing> {
    try {
      return await readWithin(age);
    } catch (error) {
      if (ring.signers.length === 0) throw error;
      warnOfRead(error);
      return ring;
    }
  }

  /** The same, but throws while the database is away. */
  async function readWithin(age: number): Promise<KeyRing> {
    if (Math.abs(platform.now() - ring.read) < age) return ring;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function read(): Promise<KeyRing> {
    ring = await readRing(reader);
    await announce(reader, signerOf(ring, ring.read).id, ring.read);
    return ring;
  }
}

interface KeyReader extends SigningKeysOptions {
  readonly warnOfLost: (lost: readonly KeyRow[]) => void;
}

/** Reads the keys, and makes the next one when it is time. */
async function readRing(reader: KeyReader): Promise<KeyRing> {
  const { database, now } = reader.platform;
  const at = now();
  let rows = await database.transaction({}, store.allKeys);
  const next = nextKey(decrypted(reader, rows), at);
  if (next) {
    await make(reader, next);
    rows = await database.transaction({}, store.allKeys);
  }
  return { read: at, signers: await signersOf(reader, decrypted(reader, rows)), publicKeys: await imported(rows) };
}

/** A key of our own secret; without its private part where that is damaged. */
type OwnKey = KeyRow & { readonly jwk: string | undefined };

function decrypted({ seal, warnOfLost }: KeyReader, rows: readonly KeyRow[]): OwnKey[] {
  warnOfLost(rows.filter(({ sealedBy }) => sealedBy !== seal.name));
  return rows.filter(({ sealedBy }) => sealedBy === seal.name).map((row) => ({ ...row, jwk: seal.decrypt(row.privateKey, row.id) }));
}

/** Warns of keys that another secret sealed, once as long as there are no others. */
function warnOnce(log: SigningKeysOptions['platform']['log']): (lost: readonly KeyRow[]) => void {
  let known = new Set<string>();
  return (lost) => {
    const unknown = lost.filter(({ id }) => !known.has(id));
    known = new Set(lost.map(({ id }) => id));
    if (unknown.length === 0) return;
    log.warn(
      { keys: unknown.length },
      'signing keys in the database were encrypted with a different secret, so this process signs with a new one; set IDENTITY_SECRET to the same value for every process, or restore identity.secret',
    );
  };
}

async function signersOf({ platform: { log } }: KeyReader, own: readonly OwnKey[]): Promise<KeyRing['signers']> {
  const usable = own.filter((row): row is OwnKey & { jwk: string } => row.jwk !== undefined);
  if (usable.length < own.length) log.error({ keys: own.length - usable.length }, 'signing keys in the database are damaged');
  return Promise.all(
    usable.map(async ({ id, jwk, signsFrom }) => ({ id, from: signsFrom.getTime(), key: await cryptoKeyOf(JSON.parse(jwk)) })),
  );
}

interface NextKey {
  readonly generation: number;
  readonly signsFrom: number;
}

/** The key that has to be made now, if any: at once where none can sign, else in good time before the term ends. */
function nextKey(own: readonly OwnKey[], now: number): NextKey | undefined {
  const generation = Math.max(0, ...own.map((each) => each.generation)) + 1;
  const usable = own.filter(({ jwk }) => jwk !== undefined).map(({ signsFrom }) => signsFrom.getTime());
  // A little earlier, for processes whose clocks are behind.
  if (!usable.some((from) => from <= now)) return { generation, signsFrom: now - HOUR };
  const ends = Math.max(...usable) + TERM;
  return now >= ends - LEAD ? { generation, signsFrom: Math.max(ends, now + LEAD) } : undefined;
}

async function make({ platform: { database, log }, seal }: KeyReader, { generation, signsFrom }: NextKey): Promise<void> {
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

/** Announces for how long a key signs here, and forgets those that nobody signs with any more. */
async function announce({ platform: { database } }: KeyReader, signing: string, at: number): Promise<void> {
  await database.transaction({}, async (db) => {
    await store.signsUntil(db, signing, new Date(at + NOTICE));
    await store.removeUnusedKeys(db, { before: new Date(at - KEPT), except: signing });
  });
}

/** The youngest key whose time has come. */
function signerOf({ signers }: Pick<KeyRing, 'signers'>, now: number): Signer {
  const signer = signers.filter(({ from }) => from <= now).at(-1) ?? signers[0];
  if (!signer) throw new Error('There is no signing key.');
  return signer;
}

async function imported(rows: readonly KeyRow[]): Promise<KeyRing['publicKeys']> {
  const entries = rows.map(async ({ id, publicKey }) => [id, { key: await cryptoKeyOf(publicKey), jwk: publicKey }] as const);
  return new Map(await Promise.all(entries));
}

async function cryptoKeyOf(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('A signing key is not a pair.');
  return key;
}
