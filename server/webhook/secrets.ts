import type { Secret } from '../kernel/secret.ts';
import type { TakenDelivery } from './store.ts';

/** Secrets of webhooks as they are kept: sealed, each for its webhook. */
export function openSecrets(secret: Secret) {
  const cipher = secret.cipher('webhook secrets');
  return {
    seal: (plain: string, webhookId: string): Buffer => cipher.encrypt(plain, webhookId),
    /** Undefined where it was sealed with another secret of the installation. */
    open: (sealed: Buffer, webhookId: string): string | undefined => cipher.decrypt(sealed, webhookId),
    /** What signs now: the secret, and for a while after a rotation the one before. Throws where it cannot be opened. */
    signing({ id, secret: sealed, previous, previousUntil }: TakenDelivery['webhook'], now: Date): string[] {
      const before = previous && previousUntil && previousUntil > now ? [previous] : [];
      return [sealed, ...before].map((each) => {
        const plain = cipher.decrypt(each, id);
        if (plain === undefined) throw new Error('A webhook’s secret was sealed with another IDENTITY_SECRET');
        return plain;
      });
    },
  };
}
