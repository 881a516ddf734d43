import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { addFile } from '../disk/durable-file.ts';
import { type Config, ConfigError } from './config/config.ts';

/** The installation's secret, which lies outside the database and is the same for all processes. Each purpose has a key of its own. */
export interface Secret {
  /** Names the secret without disclosing anything of it. */
  readonly name: string;
  /** AES-256-GCM. */
  cipher(purpose: string): Cipher;
  /** A digest that nobody makes without the secret, for what is too short to be hashed: HMAC with SHA-256. */
  mac(purpose: string): (text: string) => Buffer;
}

/** Encrypts what lies in the database. Decrypting takes the same `context` again. */
export interface Cipher {
  encrypt(text: string, context: string): Buffer;
  /** Undefined when it was encrypted with another secret or context, or damaged. */
  decrypt(sealed: Buffer, context: string): string | undefined;
}

type SecretSettings = Pick<Config, 'identitySecret' | 'dataDir'>;

const FILE = 'identity.secret';
const SHORTEST = 32;

/** The secret of the settings; else the text of the one in `DATA_DIR`, where there is one. */
export const keptSecret = async ({ identitySecret, dataDir }: SecretSettings): Promise<{ name: string; text?: string } | undefined> => {
  const text = identitySecret === undefined ? await contentOf(path.join(dataDir, FILE)) : undefined;
  const known = identitySecret ?? text;
  return known === undefined ? undefined : { name: secretFrom(known).name, ...(text !== undefined && { text }) };
};

/** Puts a secret into `DATA_DIR`, which has none. */
export const addSecret = (dataDir: string, text: string): Promise<void> => addFile(path.join(dataDir, FILE), { text: `${text}\n` });

/** The secret of the settings, or else the one in `DATA_DIR`, which the first start makes. Throws a `ConfigError` where that is damaged. */
export async function openSecret({ identitySecret, dataDir }: SecretSettings): Promise<Secret> {
  return secretFrom(identitySecret ?? (await textOf(path.join(dataDir, FILE))));
}

export function secretFrom(text: string): Secret {
  return {
    name: derived(text, 'afterword identity: name of the secret', 8).toString('hex'),
    cipher(purpose) {
      const key = derived(text, purpose, 32);
      return {
        encrypt: (plain, context) => encrypt(key, plain, context),
        decrypt: (sealed, context) => decrypt(key, sealed, context),
      };
    },
    mac(purpose) {
      const key = derived(text, purpose, 32);
      return (said) => createHmac('sha256', key).update(said).digest();
    },
  };
}

async function textOf(file: string): Promise<string> {
  const kept = await contentOf(file);
  if (kept === undefined) {
    await addSecret(path.dirname(file), randomBytes(32).toString('base64url'));
    return textOf(file);
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
