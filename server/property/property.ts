import { areSameLinks, type ReviewLink } from '#contract/form/review.ts';
import { NOTIFICATIONS, type NotificationKind } from '#contract/property/property.ts';
import { record } from '../event/store.ts';
import type { Secret } from '../platform/secret.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

/** Stores a property's review links, and records the change where they differ. Locks the property until the transaction ends. */
export async function changeServices(scope: AccountScope, id: string, services: readonly ReviewLink[]): Promise<void> {
  const before = await store.hold(scope, id);
  if (!before || areSameLinks(before.data.service, services)) return;
  await store.change(scope, id, { service: [...services] });
  await record(scope, 'property.services-changed', { subject: id, data: { services: services.map(({ name }) => name) } });
}

/** A person on one of a property's lists: what a link to leave it names. */
export interface ListPlace {
  readonly accountId: string;
  readonly propertyId: string;
  readonly userId: string;
  readonly list: NotificationKind;
}

/**
 * The addresses where people leave a list. They are sealed and not stored: nobody makes or reads one without the installation's
 * secret, and they work for as long as the mail is kept.
 */
export function openListLinks({ secret, site }: { readonly secret: Secret; readonly site: string }) {
  const cipher = secret.cipher('property lists: leaving');
  const seal = (place: ListPlace, use: string): string => cipher.encrypt(inShort(place), use).toString('base64url');
  const unseal = (key: string, use: string): ListPlace | undefined => {
    const opened = cipher.decrypt(Buffer.from(key, 'base64url'), use);
    return opened === undefined ? undefined : inFull(opened);
  };
  return {
    /** The whole address of the page where this person leaves the list; mail programs post to it (RFC 8058). */
    leave: (place: ListPlace): string => site + LEAVING + seal(place, 'leave'),
    /** Whom an address was made for; undefined for what the product did not make. */
    leaving: (key: string): ListPlace | undefined => unseal(key, 'leave'),
    /** What comes back with the wish to be put back until that moment (UTC ms). */
    back: (place: ListPlace, until: number): string => `${until}.${seal(place, `back until ${until}`)}`,
    /** Whom it was made for; undefined where it was made for another moment. `until` is to be looked at by the caller. */
    returning(ticket: string): { readonly place: ListPlace; readonly until: number } | undefined {
      const [until = '', key = ''] = ticket.split('.');
      const place = unseal(key, `back until ${until}`);
      return place && { place, until: Number(until) };
    },
  };
}

export type ListLinks = ReturnType<typeof openListLinks>;

export const LEAVING = '/unsubscribe/';

/* Addresses are short: without what all ids begin with. */

const inShort = ({ accountId, propertyId, userId, list }: ListPlace): string =>
  [without('ACCOUNT_', accountId), without('PROPERTY_', propertyId), without('USER_', userId), list].join(' ');

function inFull(text: string): ListPlace | undefined {
  const [account = '', property = '', user = '', name] = text.split(' ');
  const list = NOTIFICATIONS.find((each) => each === name);
  return list && { accountId: `ACCOUNT_${account}`, propertyId: `PROPERTY_${property}`, userId: `USER_${user}`, list };
}

const without = (beginning: string, id: string): string => id.slice(beginning.length);
