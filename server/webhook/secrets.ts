import type { Secret } from '../platform/secret.ts';
import type { ReservedDelivery } from './delivery-store.ts';

export type Secrets = ReturnType<typeof openSecrets>;

/** Encrypts webhook secrets for storage, each bound to its webhook. */
export function openSecrets(secret: Secret) {
  const cipher = secret.cipher('webhook secrets');
  return {
    seal: (plain: string, webhookId: string): Buffer => cipher.encrypt(plain, webhookId),
    /** Returns undefined if it was encrypted with another secret of the installation. */
    open: (sealed: Buffer, webhookId: string): string | undefined => cipher.decrypt(sealed, webhookId),
    /** Returns the secrets to sign with: the current one and, for a while after a rotation, the previous one. Returns undefined if the current one can't be decrypted. */
    signing({ id, secret: sealed, previous, previousUntil }: ReservedDelivery['webhook'], now: Date): string[] | undefined {
      const current = cipher.decrypt(sealed, id);
      if (current === undefined) return undefined;
      const former = previous && previousUntil && previousUntil > now ? cipher.decrypt(previous, id) : undefined;
      return former === undefined ? [current] : [current, former];
    },
  };
}
