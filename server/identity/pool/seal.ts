import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { addFile } from '../../disk/durable-file.ts';
import { type Config, ConfigError } from '../../kernel/config.ts';

/** Encrypts what lies in the database, with a key that does not. */
export interface Seal {
  /** Names the secret without disclosing anything of it. */
  readonly name: string;
  /** AES-256-GCM. Decrypting takes the same `context` again. */
  encrypt(text: string, context: string): Buffer;
  /** Undefined when it was encrypted with another secret or context, or damaged. */
  decrypt(sealed: Buffer, context: string): string | undefined;
  /** A digest that nobody makes without the secret, for what is too short to be hashed: HMAC with SHA-256. */
  mac(text: string): Buffer;
}

const FILE = 'identity.secret';
const SHORTEST = 32;

/** The secret of the settings, or else the one in `DATA_DIR`, which the first start makes. */
export async function openSeal({ identitySecret, dataDir }: Pick<Config, 'identitySecret' | 'dataDir'>): Promise<Seal> {
  return sealWith(identitySecret ?? (await secretOf(path.join(dataDir, FILE))));
}

export function sealWith(secret: string): Seal {
  const key = derived(secret, 'afterword identity: signing keys', 32);
  const codes = derived(secret, 'afterword identity: codes', 32);
  return {
    name: derived(secret, 'afterword identity: name of the secret', 8).toString('hex'),
    encrypt: (text, context) => encrypt(key, text, context),
    decrypt: (sealed, context) => decrypt(key, sealed, context),
    mac: (text) => createHmac('sha256', codes).update(text).digest(),
  };
}

async function secretOf(file: string): Promise<string> {
  const kept = await contentOf(file);
  if (kept === undefined) {
    await addFile(file, { text: `${randomBytes(32).toString('base64url')}\n` });
    return secretOf(file);
  }
  if (kept.length < SHORTEST)
    throw new ConfigError(`The file ${file} is damaged. Bring it back from a backup, or remove it: a new one is made.`);
  return kept;
}

async function contentOf(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const derived = (secret: string, purpose: string, length: number): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, length));

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;

/** Nonce, tag, text. */
function encrypt(key: Buffer, text: string, context: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG }).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

function decrypt(key: Buffer, sealed: Buffer, context: string): string | undefined {
  try {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE), { authTagLength: TAG }).setAAD(Buffer.from(context));
    decipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
