import type { Transaction } from '../../platform/database/database.ts';
import type { Secret } from '../../platform/secret.ts';
import * as store from './device-store.ts';
import { makeVapidKeys, type PushAddress, type VapidKeys } from './web-push.ts';

export type PushSecrets = ReturnType<typeof openPushSecrets>;

/** Encrypts what no one may read in the database: browsers' addresses, and the installation's keys at push services. */
export function openPushSecrets(secret: Secret) {
  // The purposes are part of what is stored: with other texts, nothing can be decrypted.
  const [addresses, privateKeys] = [secret.cipher('afterword pushes: addresses'), secret.cipher('afterword pushes: keys')];
  return {
    seal: (address: PushAddress, deviceId: string): Buffer => addresses.encrypt(JSON.stringify(address), deviceId),
    /** Undefined if the address was encrypted with another secret. */
    open(sealed: Buffer, deviceId: string): PushAddress | undefined {
      const text = addresses.decrypt(sealed, deviceId);
      return text === undefined ? undefined : JSON.parse(text);
    },
    /** The keys that all processes share. Created when they are first needed. */
    keys: async (db: Transaction): Promise<VapidKeys> => (await storedKeys(db)) ?? (await createKeys(db)),
  };

  async function storedKeys(db: Transaction): Promise<VapidKeys | undefined> {
    const row = await store.keysOf(db, secret.name);
    const privateKey = row && privateKeys.decrypt(row.sealed, row.publicKey);
    return row === undefined || privateKey === undefined ? undefined : { publicKey: row.publicKey, privateKey };
  }

  /** Returns ours, or those that another process created first. */
  async function createKeys(db: Transaction): Promise<VapidKeys> {
    const { publicKey, privateKey } = makeVapidKeys();
    await store.addKeys(db, { secret: secret.name, publicKey, sealed: privateKeys.encrypt(privateKey, publicKey) });
    const keys = await storedKeys(db);
    if (!keys) throw new Error('The push keys are corrupted');
    return keys;
  }
}
