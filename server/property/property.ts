import { areSameLinks, type ReviewLink } from '#contract/form/review.ts';
import { NOTIFICATIONS, type NotificationKind } from '#contract/property/property.ts';
import { record } from '../event/store.ts';
import type { Cipher, Secret } from '../platform/secret.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

/** Stores a property's review links and records a change. Locks the property until the transaction ends. */
export async function changeServices(scope: AccountScope, id: string, services: readonly ReviewLink[]): Promise<void> {
  const before = await store.lock(scope, id);
  if (!before || areSameLinks(before.data.service, services)) return;
  await store.change(scope, id, { service: [...services] });
  await record(scope, 'property.services-changed', { subject: id, data: { services: services.map(({ name }) => name) } });
}

/** Encrypts the secrets that sign order numbers on receipts, each bound to its property's id. */
export const receiptCipher = (secret: Secret): Cipher => secret.cipher('receipt secrets');

/** A person on one of a property's notification lists, as identified by an unsubscribe link. */
export interface ListEntry {
  readonly accountId: string;
  readonly propertyId: string;
  readonly userId: string;
  readonly list: NotificationKind;
}

/**
 * Creates and reads unsubscribe links. They are encrypted with the installation's secret and not stored, so they never expire and
 * can't be forged.
 */
export function openListLinks({ secret, site }: { readonly secret: Secret; readonly site: string }) {
  const cipher = secret.cipher('property lists: leaving');
  const seal = (entry: ListEntry, use: string): string => cipher.encrypt(shortened(entry), use).toString('base64url');
  const unseal = (key: string, use: string): ListEntry | undefined => {
    const text = cipher.decrypt(Buffer.from(key, 'base64url'), use);
    return text === undefined ? undefined : expanded(text);
  };
  return {
    /** Returns the URL of the page where this person unsubscribes; mail programs post to it (RFC 8058). */
    unsubscribeUrl: (entry: ListEntry): string => site + UNSUBSCRIBE_PATH + seal(entry, 'leave'),
    /** Returns the entry an unsubscribe key was created for, or undefined for an invalid key. */
    entryOf: (key: string): ListEntry | undefined => unseal(key, 'leave'),
    /** Returns a token that undoes the unsubscription until then (UTC ms). */
    undoToken: (entry: ListEntry, until: number): string => `${until}.${seal(entry, `back until ${until}`)}`,
    /** Returns a token's entry and expiry, or undefined for an invalid token. The caller checks `until`. */
    readUndoToken(token: string): { readonly entry: ListEntry; readonly until: number } | undefined {
      const [until = '', key = ''] = token.split('.');
      const entry = unseal(key, `back until ${until}`);
      return entry && { entry, until: Number(until) };
    },
  };
}

export type ListLinks = ReturnType<typeof openListLinks>;

export const UNSUBSCRIBE_PATH = '/unsubscribe/';

/* URLs omit the prefixes of ids, to be short. */

const shortened = ({ accountId, propertyId, userId, list }: ListEntry): string =>
  [without('ACCOUNT_', accountId), without('PROPERTY_', propertyId), without('USER_', userId), list].join(' ');

function expanded(text: string): ListEntry | undefined {
  const [account = '', property = '', user = '', name] = text.split(' ');
  const list = NOTIFICATIONS.find((kind) => kind === name);
  return list && { accountId: `ACCOUNT_${account}`, propertyId: `PROPERTY_${property}`, userId: `USER_${user}`, list };
}

const without = (prefix: string, id: string): string => id.slice(prefix.length);
