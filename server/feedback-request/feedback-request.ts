import { suppressionId } from '#contract/core/ids.ts';
import type { SuppressionReason } from '#contract/feedback-request/feedback-request.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import type { CancelMail, DeleteMail } from '../platform/mailer/send-mail.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { addressHash } from './links.ts';
import * as store from './store.ts';
import * as suppressions from './suppression-store.ts';

interface SuppressedAddress {
  readonly emailHash: Buffer;
  readonly email: string | null;
  readonly reason: SuppressionReason;
}

export interface SuppressionOptions {
  readonly platform: Pick<Platform, 'random'>;
  readonly cancelMail: CancelMail;
}

/** Suppresses an address, and cancels the requests' mails that weren't sent. */
export async function suppressAddress(
  scope: AccountScope,
  { platform, cancelMail }: SuppressionOptions,
  address: SuppressedAddress,
): Promise<void> {
  await saveSuppression(scope, platform, address);
  await forEachMail(await store.ofAddress(scope, address.emailHash), (id) => cancelMail(scope, id));
}

/** Stores that an address is suppressed, and records it if that changes anything. */
async function saveSuppression(
  scope: AccountScope,
  { random }: SuppressionOptions['platform'],
  { reason, ...address }: SuppressedAddress,
): Promise<void> {
  const subject = await suppressions.suppress(scope, { id: suppressionId(random), reason, ...address });
  if (subject !== undefined) await record(scope, 'feedback-request.suppressed', { subject, data: { reason } });
}

/** Empties the requests to an address, deletes their mails, and suppresses the address without storing it. Returns how many there were. */
export async function eraseRequests(
  scope: AccountScope,
  { platform, deleteMail }: Pick<SuppressionOptions, 'platform'> & { readonly deleteMail: DeleteMail },
  email: string,
): Promise<number> {
  const emailHash = addressHash(scope.accountId, email);
  const requests = await store.ofAddress(scope, emailHash);
  await forEachMail(requests, (id) => deleteMail(scope, id));
  await store.erase(scope, emailHash);
  await suppressions.forgetAddress(scope, emailHash);
  if (requests.length > 0) await saveSuppression(scope, platform, { emailHash, email: null, reason: 'added' });
  return requests.length;
}

/** Deletes addresses and names from some of a property's requests from before a time, and their mails. Returns how many. */
export async function forgetRequests(
  scope: AccountScope,
  deleteMail: DeleteMail,
  { propertyId, before }: { readonly propertyId: string; readonly before: Date },
): Promise<number> {
  const requests = await store.forgettable(scope, propertyId, before);
  await forEachMail(requests, (id) => deleteMail(scope, id));
  await store.forget(
    scope,
    requests.map(({ id }) => id),
  );
  return requests.length;
}

async function forEachMail(requests: readonly store.RequestRow[], change: (deliveryId: string) => Promise<void>): Promise<void> {
  for (const { deliveryIds } of requests) for (const id of deliveryIds) await change(id);
}

/** Returns the requests to an address, newest first. */
export const requestsTo = (scope: AccountScope, email: string): Promise<store.RequestRow[]> =>
  store.ofAddress(scope, addressHash(scope.accountId, email));
