import type { Cipher, Secret } from '../../../platform/secret.ts';

/** Encrypts what the pool keeps, and hashes codes, by the installation's secret. */
export interface Seal extends Cipher {
  /** Names the secret without disclosing anything of it. */
  readonly name: string;
  /** A digest of a code, which is too short to be hashed without a key. */
  mac(text: string): Buffer;
}

/** The purposes are part of what is stored: with another word, nothing of before opens. */
export const sealWith = (secret: Secret): Seal => ({
  name: secret.name,
  ...secret.cipher('afterword identity: signing keys'),
  mac: secret.mac('afterword identity: codes'),
});
