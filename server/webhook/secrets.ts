import type { Secret } from '../platform/secret.ts';
import type { TakenDelivery } from './store.ts';

/** Secrets of webhooks as they are kept: sealed, each for its webhook. */
export function openSecrets(secret: Secret) {
  const cipher = secret.cipher('webhook secrets');
  return {
    seal: (plain: string, webhookId: string): Buffer => cipher.encrypt(plain, webhookId),
    /** Undefined where it was sealed with another secret of the installation. */
    open: (sealed: Buffer, webhookId: string): string | undefined => cipher.decrypt(sealed, webhookId),
    /** What signs now: the secret, and for a while after a rotation the one before, where it opens. Undefined where the secret does not. */
    signing({ id, secret: sealed, previous, previousUntil }: TakenDelivery['webhook'], now: Date): string[] | undefined {
      const current = cipher.decrypt(sealed, id);
      if (current === undefined) return undefined;
      const before = previous && previousUntil && previousUntil > now ? cipher.decrypt(previous, id) : undefined;
      return before === undefined ? [current] : [current, before];
    },
  };
}
