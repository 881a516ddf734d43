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
/** How long one key signs. @limit signing-keys */
const TERM = 90 * DAY;
/** How long every process has a key before it signs. @limit signing-keys */
const PUBLISHED_AHEAD = DAY;
/** How often each process reads the keys. */
const FRESH = 5 * MINUTE;
/** How far ahead each process announces that it signs with a key. */
const NOTICE = 3 * FRESH;
/** How long a key stays valid after its last signature; tokens live for an hour. @limit signing-keys */
const RETENTION = DAY;
/** The shortest time between reads caused by tokens with an unknown key. */
const MINIMUM_PAUSE = 2_000;

/** The key that signs now. */
interface Signer {
  readonly id: string;
  readonly key: CryptoKey;
}

/** The pool's signing keys, shared by all processes through the database and rotated ahead of time. */
export interface SigningKeys {
  signer(): Promise<Signer>;
  /** Returns the public key with an id; throws if the key is not cached and the database is down. */
  publicKey(id: string): Promise<CryptoKey | undefined>;
  /** Returns the public keys for verifying tokens. */
  published(): Promise<JWK[]>;
}

interface SigningKeysOptions {
  readonly platform: Pick<Platform, 'database' | 'log' | 'now'>;
  readonly seal: Seal;
}

export async function openSigningKeys(options: SigningKeysOptions): Promise<SigningKeys> {
  const { now } = options.platform;
  const rings = openRings(options);
  await rings.readWithinOrLast(0);
  return {
    async signer() {
      return signerOf(await rings.readWithinOrLast(FRESH), now());
    },
    async publicKey(id) {
      const cached = (await rings.readWithinOrLast(FRESH)).publicKeys.get(id);
      // Throws instead of using old keys, because a valid token must not be rejected while the database is down.
      return (cached ?? (await rings.readWithin(MINIMUM_PAUSE)).publicKeys.get(id))?.key;
    },
    async published() {
      return [...(await rings.readWithinOrLast(FRESH)).publicKeys.values()].map(({ jwk }) => jwk);
    },
  };
}

/** The keys as read at one time. */
interface KeyRing {
  readonly read: number;
  /** The keys our own secret decrypts, oldest first. */
  readonly signers: readonly (Signer & { readonly from: number })[];
  readonly publicKeys: ReadonlyMap<string, { readonly key: CryptoKey; readonly jwk: JWK }>;
}

function openRings({ platform, seal }: SigningKeysOptions) {
  let ring: KeyRing = { read: Number.NEGATIVE_INFINITY, signers: [], publicKeys: new Map() };
  let reading: Promise<KeyRing> | undefined;
  const warnOfRead = warnSeldom(platform.log, 'the signing keys could not be read again');
  const reader: KeyReader = { platform, seal, warnOfLost: warnOnce(platform.log) };
  return { readWithin, readWithinOrLast };

  /** Returns keys read at most `age` ms ago, or the last ones while the database is down. */
  async function readWithinOrLast(age: number): Promise<KeyRing> {
    try {
      return await readWithin(age);
    } catch (error) {
      if (ring.signers.length === 0) throw error;
      warnOfRead(error);
      return ring;
    }
  }

  /** Returns keys read at most `age` ms ago, but throws while the database is down. */
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

/** Reads the keys, and creates the next one when it is time. */
async function readRing(reader: KeyReader): Promise<KeyRing> {
  const { database, now } = reader.platform;
  const at = now();
  let rows = await database.transaction({}, store.allKeys);
  const next = nextKey(decrypted(reader, rows), at);
  if (next) {
    await create(reader, next);
    rows = await database.transaction({}, store.allKeys);
  }
  return { read: at, signers: await signersOf(reader, decrypted(reader, rows)), publicKeys: await imported(rows) };
}

/** A key of our own secret; `jwk` is undefined if the private part is damaged. */
type OwnKey = KeyRow & { readonly jwk: string | undefined };

function decrypted({ seal, warnOfLost }: KeyReader, rows: readonly KeyRow[]): OwnKey[] {
  warnOfLost(rows.filter(({ sealedBy }) => sealedBy !== seal.name));
  return rows.filter(({ sealedBy }) => sealedBy === seal.name).map((row) => ({ ...row, jwk: seal.decrypt(row.privateKey, row.id) }));
}

/** Returns a function that warns once about each key that another secret encrypted. */
function warnOnce(log: SigningKeysOptions['platform']['log']): (lost: readonly KeyRow[]) => void {
  let reported = new Set<string>();
  return (lost) => {
    const unreported = lost.filter(({ id }) => !reported.has(id));
    reported = new Set(lost.map(({ id }) => id));
    if (unreported.length === 0) return;
    log.warn(
      { keys: unreported.length },
      'signing keys in the database were encrypted with a different secret, so this process signs with a new one; set IDENTITY_SECRET to the same value for every process, or restore identity.secret',
    );
  };
}

async function signersOf({ platform: { log } }: KeyReader, ownKeys: readonly OwnKey[]): Promise<KeyRing['signers']> {
  const usable = ownKeys.filter((row): row is OwnKey & { jwk: string } => row.jwk !== undefined);
  if (usable.length < ownKeys.length) log.error({ keys: ownKeys.length - usable.length }, 'signing keys in the database are damaged');
  return Promise.all(
    usable.map(async ({ id, jwk, signsFrom }) => ({ id, from: signsFrom.getTime(), key: await cryptoKeyOf(JSON.parse(jwk)) })),
  );
}

interface NextKey {
  readonly generation: number;
  readonly signsFrom: number;
}

/** Returns the key to create now, if any: at once if none can sign, otherwise a day before the term ends. */
function nextKey(ownKeys: readonly OwnKey[], now: number): NextKey | undefined {
  const generation = Math.max(0, ...ownKeys.map((key) => key.generation)) + 1;
  const usable = ownKeys.filter(({ jwk }) => jwk !== undefined).map(({ signsFrom }) => signsFrom.getTime());
  // An hour in the past, for processes whose clocks are behind.
  if (!usable.some((from) => from <= now)) return { generation, signsFrom: now - HOUR };
  const ends = Math.max(...usable) + TERM;
  return now >= ends - PUBLISHED_AHEAD ? { generation, signsFrom: Math.max(ends, now + PUBLISHED_AHEAD) } : undefined;
}

async function create({ platform: { database, log }, seal }: KeyReader, { generation, signsFrom }: NextKey): Promise<void> {
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
  const isAdded = await database.transaction({}, (db) => store.addKey(db, row));
  if (isAdded) log.info({ generation, signsFrom: row.signsFrom }, 'a signing key was created');
}

/** Announces how long a key signs here, and deletes keys that are no longer used. */
async function announce({ platform: { database } }: KeyReader, signing: string, at: number): Promise<void> {
  await database.transaction({}, async (db) => {
    await store.signsUntil(db, signing, new Date(at + NOTICE));
    await store.removeUnusedKeys(db, { before: new Date(at - RETENTION), except: signing });
  });
}

/** Returns the newest key that may sign. */
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
