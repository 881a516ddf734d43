import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { addFile } from '../disk/durable-file.ts';
import { type Config, ConfigError } from './config/config.ts';

/** The installation's secret, stored outside the database and shared by all processes. Each purpose has its own derived key. */
export interface Secret {
  /** Identifies the secret without revealing it. */
  readonly name: string;
  /** AES-256-GCM. */
  cipher(purpose: string): Cipher;
  /** HMAC with SHA-256, for values too short to be hashed safely without a key. */
  mac(purpose: string): (text: string) => Buffer;
}

/** Encrypts values stored in the database. Decryption needs the same `context`. */
export interface Cipher {
  encrypt(text: string, context: string): Buffer;
  /** Returns undefined for text that is damaged or was encrypted with another secret or context. */
  decrypt(sealed: Buffer, context: string): string | undefined;
}

type SecretSettings = Pick<Config, 'identitySecret' | 'dataDir'>;

const FILE = 'identity.secret';
const MINIMUM_LENGTH = 32;

/** Returns the name of the secret from the settings or `DATA_DIR`, with its text if it comes from `DATA_DIR`; undefined if there is none. */
export const storedSecret = async ({ identitySecret, dataDir }: SecretSettings): Promise<{ name: string; text?: string } | undefined> => {
  const text = identitySecret === undefined ? await contentOf(path.join(dataDir, FILE)) : undefined;
  const secret = identitySecret ?? text;
  return secret === undefined ? undefined : { name: secretFrom(secret).name, ...(text !== undefined && { text }) };
};

/** Stores a secret in a `DATA_DIR` that has none. */
export const addSecret = (dataDir: string, text: string): Promise<void> => addFile(path.join(dataDir, FILE), { text: `${text}\n` });

/**
 * Returns the secret from the settings or `DATA_DIR`, where the first start generates one. Throws a `ConfigError` if the file is
 * damaged.
 */
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
      return (message) => createHmac('sha256', key).update(message).digest();
    },
  };
}

async function textOf(file: string): Promise<string> {
  const text = await contentOf(file);
  if (text === undefined) {
    await addSecret(path.dirname(file), randomBytes(32).toString('base64url'));
    return textOf(file);
  }
  if (text.length < MINIMUM_LENGTH)
    throw new ConfigError(`The file ${file} is damaged. Restore it from a backup, or delete it to generate a new one.`);
  return text;
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

/** Returns nonce, tag and ciphertext, in this order. */
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
