import { DAY } from '#contract/core/time.ts';
import type { Platform } from '../../platform/context.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { AccountScope } from '../../platform/tenancy/access.ts';
import type { Alert } from './alert-store.ts';
import * as store from './link-store.ts';

/** How long a link works (ms), once, and the bytes of its random key. It is stored as a hash. @limit alert-links */
const LIFE = 3 * DAY;
const KEY_BYTES = 16;

const CONTEXT = 'alert';
export const ALERT_ROUTE = '/alert/';

export type AlertLinks = ReturnType<typeof openAlertLinks>;

/** Links with which a person assigns feedback to themselves without signing in (docs/limits.md#alert-links). */
export function openAlertLinks({ secret, random, config }: Pick<Platform, 'secret' | 'random' | 'config'>) {
  const cipher = secret.cipher('alert links');
  return {
    /** Creates a link for the person of an alert. Returns its address. */
    async create(scope: AccountScope, { feedbackId, userId }: Alert): Promise<string> {
      const key = Buffer.from(random(KEY_BYTES)).toString('base64url');
      await store.add(scope, { hash: sha256(key), feedbackId, userId, expires: new Date(scope.now.getTime() + LIFE) });
      const sealed = cipher.encrypt(`${scope.accountId} ${key}`, CONTEXT).toString('base64url');
      return config.publicUrl + ALERT_ROUTE + sealed;
    },
    /** Deletes the links in an alert's mail that was withdrawn: those created since the person was notified. */
    remove: (scope: AccountScope, alert: Alert): Promise<void> =>
      store.remove(scope, alert, new Date((alert.notified?.getTime() ?? 0) + LIFE)),
    /** Returns the account and the hashed key in an address; undefined for one that this installation didn't create. */
    open(sealed: string): { readonly accountId: string; readonly hash: Buffer } | undefined {
      const [accountId, key] = cipher.decrypt(Buffer.from(sealed, 'base64url'), CONTEXT)?.split(' ') ?? [];
      return accountId !== undefined && key !== undefined ? { accountId, hash: sha256(key) } : undefined;
    },
  };
}
