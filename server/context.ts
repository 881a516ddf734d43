import { subOf } from '#contract/core/ids.ts';
import type { EventName } from '#contract/events.ts';
import { type Billing, openBilling } from './billing/billing.ts';
import { openPaymentProvider } from './billing/payments.ts';
import type { EventFeed } from './event/feed.ts';
import { type Intake, openIntake } from './feedback/intake.ts';
import { changeWork } from './feedback/operations.ts';
import { type FormReader, openFormReader } from './form/store.ts';
import { openIdentity } from './identity/identity.ts';
import type { Identity } from './identity/port.ts';
import { openNotify } from './notification/bell.ts';
import { type MailRoom, openMails } from './notification/mails.ts';
import { openPushes, type Pushes } from './notification/pushes.ts';
import { openPushSecrets, type PushSecrets } from './notification/secrets.ts';
import type { Platform } from './platform/context.ts';
import { openPictures, type Pictures } from './platform/images/images.ts';
import type { Notify, Ring } from './platform/live/notify.ts';
import type { SendMail, WithdrawMail } from './platform/mailer/send-mail.ts';
import { type Outbound, openOutbound } from './platform/outbound/outbound.ts';
import type { Authenticator } from './platform/tenancy/access.ts';
import { openViewCounter, type ViewCounter } from './view/counter.ts';
import { openDirectory } from './workflows/directory.ts';

/** What modules share. Each module states the part it needs. */
export interface Context {
  readonly platform: Platform;
  readonly feed: EventFeed;
  readonly pool: Identity;
  readonly authenticator: Authenticator;
  readonly billing: Billing;
  readonly forms: FormReader & { stop(): void };
  readonly intake: Intake;
  readonly views: ViewCounter;
  readonly pictures: Pictures;
  readonly mails: MailRoom;
  readonly send: SendMail;
  readonly withdraw: WithdrawMail;
  readonly notify: Notify;
  readonly ring: Ring;
  readonly pushes: Pushes;
  readonly pushOutbound: Outbound;
  readonly pushSecrets: PushSecrets;
  readonly changeWork: typeof changeWork;
  /** Interval between the checks of live streams (ms). */
  readonly beat: number | undefined;
}

interface ContextOptions {
  readonly platform: Platform;
  readonly feed: EventFeed;
  readonly intake: ((platform: Platform) => Intake) | undefined;
  readonly beat: number | undefined;
  /** The events that have a subscriber. Called at the first submission. */
  readonly subscribedNames: () => readonly EventName[];
}

export async function openContext({ platform, feed, intake, beat, subscribedNames }: ContextOptions): Promise<Context> {
  const mails = openMails(platform);
  const pool = await openIdentity(platform, { directory: openDirectory(platform), sendMail: mails.send });
  const pushSecrets = openPushSecrets(platform.secret);
  // Push services answer at once, and an account's people share a few of them. docs/limits.md#outbound-host.
  const pushOutbound = openOutbound({ config: platform.config.outbound, limits: { total: 5_000, perHost: 10 } });
  const isSignedIn = isSignedInBy(pool.authenticator);
  const pushes = openPushes({ platform, outbound: pushOutbound, secrets: pushSecrets, stands: isSignedIn });
  return {
    platform,
    feed,
    pool,
    authenticator: pool.authenticator,
    billing: openBilling({ platform, provider: openPaymentProvider(platform) }),
    forms: openFormReader({ ...platform, feed }),
    intake: intake?.(platform) ?? openIntake(platform, { subscribedNames }),
    views: openViewCounter(platform),
    pictures: openPictures(),
    mails,
    send: mails.send,
    withdraw: mails.withdraw,
    notify: openNotify(platform),
    ring: pushes.ring,
    pushes,
    pushOutbound,
    pushSecrets,
    changeWork,
    beat,
  };
}

/** Returns whether the sign-in that subscribed a device is still valid, by the same check as for its requests. */
const isSignedInBy =
  (authenticator: Authenticator): Parameters<typeof openPushes>[0]['stands'] =>
  async ({ db, accountId }, { userId, session: family, created: issued }) => {
    const claims = { sub: subOf(userId), userId, family, groups: [], signedIn: undefined, issued };
    const person = await authenticator.findPerson(db, claims);
    return person?.accountId === accountId && !person.isDeleted;
  };
