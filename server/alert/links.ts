import { createHash } from 'node:crypto';
import { DAY } from '#contract/core/time.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

/** What an address in a mail names: the account, and the key of a link that stands there as a hash. */
interface AlertLink {
  readonly accountId: string;
  readonly hash: Buffer;
}

/** Links by which a person takes feedback on without signing in (docs/limits.md#alert-links). */
export interface AlertLinks {
  /** Makes one for the person of an alert; gives its address. */
  make(scope: AccountScope, alert: Pick<store.Alert, 'feedbackId' | 'userId'>): Promise<string>;
  /** Deletes the links of mails that were never sent: those since the alert was told. */
  forget(scope: AccountScope, alert: store.Alert): Promise<void>;
  /** Undefined for an address that the product did not make, for which nothing is looked up. */
  opened(sealed: string): AlertLink | undefined;
}

const LIFE = 3 * DAY;
const KEY_BYTES = 16;
const CONTEXT = 'alert';
export const ALERT_ROUTE = '/alert/';

export function openAlertLinks({ secret, random, config }: Pick<Platform, 'secret' | 'random' | 'config'>): AlertLinks {
  const cipher = secret.cipher('alert links');
  return {
    async make(scope, { feedbackId, userId }) {
      const key = Buffer.from(random(KEY_BYTES)).toString('base64url');
      await store.addLink(scope, { hash: hashOf(key), feedbackId, userId, until: new Date(scope.now.getTime() + LIFE) });
      const sealed = cipher.encrypt(`${scope.accountId} ${key}`, CONTEXT).toString('base64url');
      return config.publicUrl + ALERT_ROUTE + sealed;
    },
    forget: (scope, alert) => store.forgetLinks(scope, alert, new Date((alert.told?.getTime() ?? 0) + LIFE)),
    opened(sealed) {
      const [accountId, key] = cipher.decrypt(Buffer.from(sealed, 'base64url'), CONTEXT)?.split(' ') ?? [];
      return accountId !== undefined && key !== undefined ? { accountId, hash: hashOf(key) } : undefined;
    },
  };
}

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();
