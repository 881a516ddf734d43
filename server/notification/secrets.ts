import type { Transaction } from '../platform/database/database.ts';
import type { Secret } from '../platform/secret.ts';
import * as store from './devices-store.ts';
import { makeVapidKeys, type PushAddress, type VapidKeys } from './gateway.ts';

/** What pushes need that nobody may read: browsers' addresses as they are kept, and the installation's keys. */
export interface PushSecrets {
  seal(address: PushAddress, deviceId: string): Buffer;
  /** Undefined where it was sealed with another secret of the installation. */
  open(sealed: Buffer, deviceId: string): PushAddress | undefined;
  /** The keys that all processes share. Made when they are first asked for. */
  keys(db: Transaction): Promise<VapidKeys>;
}

export function openPushSecrets(secret: Secret): PushSecrets {
  // The purposes are a part of what is stored: with other words, nothing opens.
  const [addresses, privateKeys] = [secret.cipher('afterword pushes: addresses'), secret.cipher('afterword pushes: keys')];
  return {
    seal: (address, deviceId) => addresses.encrypt(JSON.stringify(address), deviceId),
    open(sealed, deviceId) {
      const text = addresses.decrypt(sealed, deviceId);
      return text === undefined ? undefined : JSON.parse(text);
    },
    async keys(db) {
      return (await known(db)) ?? (await made(db));
    },
  };

  async function known(db: Transaction): Promise<VapidKeys | undefined> {
    const row = await store.keysOf(db, secret.name);
    const privateKey = row && privateKeys.decrypt(row.sealed, row.publicKey);
    return row === undefined || privateKey === undefined ? undefined : { publicKey: row.publicKey, privateKey };
  }

  /** Ours, or those of a process that was faster. */
  async function made(db: Transaction): Promise<VapidKeys> {
    const { publicKey, privateKey } = makeVapidKeys();
    await store.addKeys(db, { secret: secret.name, publicKey, sealed: privateKeys.encrypt(privateKey, publicKey) });
    const kept = await known(db);
    if (!kept) throw new Error('The push keys are corrupted');
    return kept;
  }
}
