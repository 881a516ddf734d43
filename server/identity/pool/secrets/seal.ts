import type { Cipher, Secret } from '../../../platform/secret.ts';

/** Encrypts the pool's data and hashes codes with the installation's secret. */
export interface Seal extends Cipher {
  /** Identifies the secret without revealing it. */
  readonly name: string;
  /** Returns a keyed hash of a code, which is too short to be hashed without a key. */
  mac(text: string): Buffer;
}

/** The purposes are part of the keys: with other words, stored data could no longer be decrypted. */
export const sealWith = (secret: Secret): Seal => ({
  name: secret.name,
  ...secret.cipher('afterword identity: signing keys'),
  mac: secret.mac('afterword identity: codes'),
});
