import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { userId as userIdOf } from '#contract/core/ids.ts';
import { DAY } from '#contract/core/time.ts';
import { SYSTEM } from '#contract/event/event.ts';
import {
  deliveryId,
  isToVisitor,
  MAIL_URGENCY,
  type MailBundle,
  type MailContext,
  type MailName,
  type Mails,
  type RenderedMail,
} from '#contract/mail/mail.ts';
import { RESEND_WINDOW, URGENCY } from '#contract/notification/delivery.ts';
import * as brands from '../../brand/store.ts';
import { record } from '../../event/store.ts';
import type { Platform } from '../../platform/context.ts';
import { deleteOld } from '../../platform/database/batches.ts';
import { type Job, type JobData, UnrecoverableJobError, type Work } from '../../platform/jobs/jobs.ts';
import { withoutLineBreaks } from '../../platform/line-breaks.ts';
import { MailNotSent, MailRefused } from '../../platform/mailer/mailer.ts';
import type { CancelMail, DeleteMail, SendMail, WithdrawMail } from '../../platform/mailer/send-mail.ts';
import type { Cipher } from '../../platform/secret.ts';
import { type DatabaseAndClock, type DeliveryScope, inAccount, inDelivery, scopeFor, withDelivery } from '../../platform/tenancy/access.ts';
import * as users from '../../user/store.ts';
import * as store from './delivery-store.ts';

/** Queues mails in the transaction that changes what they are about. Workers render and send them. */
export interface MailQueue {
  readonly send: SendMail;
  readonly withdraw: WithdrawMail;
  /** Like `withdraw`, but also cancels a mail that failed or is being offered, which may still arrive. */
  readonly discard: WithdrawMail;
  readonly cancel: CancelMail;
  readonly delete: DeleteMail;
  readonly work: Work;
}

type MailPlatform = Pick<Platform, 'config' | 'secret' | 'database' | 'jobs' | 'mailer' | 'now' | 'random'>;

export function openMails(platform: MailPlatform): MailQueue {
  const { config, secret, jobs, now, random } = platform;
  // The purpose is part of what is stored: with another text, no queued mail can be decrypted.
  const cipher = secret.cipher('afterword mails: props');
  // Loaded early, so that the first mail doesn't wait. If loading fails, sending that mail fails with the reason.
  const bundle = openBundle(config);
  bundle.catch(() => undefined);
  return {
    async send({ db, accountId, sub }, { to, mail, props, reason, thread }) {
      const [id, subject] = [deliveryId(random), (await bundle).subjectOf(mail)];
      const sealed = cipher.encrypt(JSON.stringify(withoutLineBreaks(props)), id);
      // No one can send a mail again that belongs to no account, such as a sign-in code.
      const content = accountId === undefined ? {} : { mail, sealed };
      await store.insert(db, accountId, { id, sub, channel: 'email', to, subject, reason, created: new Date(now()), ...content });
      const data = { deliveryId: id, mail, sealed: sealed.toString('base64'), ...(thread !== undefined && { thread }) };
      await jobs.queue(db, 'mail.send', data, { priority: URGENCY[MAIL_URGENCY[mail]] });
      return { id, subject };
    },
    withdraw: ({ db }, id) => withDelivery(db, id, store.withdraw),
    discard: ({ db }, id) => withDelivery(db, id, store.discard),
    cancel: ({ db }, id) => withDelivery(db, id, store.cancel),
    delete: ({ db }, id) => withDelivery(db, id, store.remove),
    work: { 'mail.send': (job) => deliver({ ...platform, cipher, bundle }, job) },
  };
}

/** How long a mail may wait (ms): longer than all attempts together. @limit deliveries */
const LONGEST_QUEUED = 3 * DAY;
/** How long the result of a mail is stored (ms). @limit deliveries */
const RETENTION = 90 * DAY;

/** Gives up lost deliveries, and deletes old ones and the content of those that can no longer be retried. */
export const maintainDeliveries = (platform: DatabaseAndClock): Promise<void> =>
  deleteOld(platform, [
    [store.giveUpBefore, LONGEST_QUEUED],
    [store.unsealBefore, RESEND_WINDOW],
    [store.deleteBefore, RETENTION],
  ]);

/** The dependencies of sending. The cipher decrypts what `send` encrypted. */
type Deliverer = MailPlatform & { readonly cipher: Cipher; readonly bundle: Promise<MailBundle> };

/**
 * Sends one mail and records the result. It holds no database connection while it waits, so a mail server that hangs blocks
 * nothing else. If the process dies after the mail server accepted the mail and before that is recorded, the job sends it again
 * with the same Message-ID: a mail may arrive twice, and none is lost.
 */
async function deliver(platform: Deliverer, { data, isLast, signal }: Job<JobData['mail.send']>): Promise<void> {
  const { mailer, now } = platform;
  const delivery = await inDelivery(platform, data.deliveryId, async (scope) => {
    const recipient = await store.beginAttempt(scope, new Date(now()));
    return recipient && { ...recipient, ...(await contextOf(scope, recipient, { mail: data.mail, at: new Date(now()) })) };
  });
  if (!delivery) return;
  try {
    const message = { id: data.deliveryId, to: delivery.to, thread: data.thread, ...(await rendered(data, delivery, platform)) };
    await mailer.send(message, { signal });
  } catch (error) {
    await saveFailure(platform, { deliveryId: data.deliveryId, accountId: delivery.accountId, isLast, error });
    throw error instanceof MailRefused ? new UnrecoverableJobError(error.message) : error;
  }
  await inDelivery(platform, data.deliveryId, (scope) => store.markSent(scope, new Date(now())));
}

/** Returns the language that a member of the team has chosen, or the look of the business whose visitor gets the mail. */
async function contextOf(
  { db }: DeliveryScope,
  { to, accountId, sub }: store.Addressee,
  { mail, at }: { readonly mail: string; readonly at: Date },
): Promise<Pick<MailContext, 'language' | 'look'>> {
  if (sub !== null) return { language: await users.languageOf(db, userIdOf(sub)) };
  if (accountId === null) return {};
  const scope = await scopeFor(db, accountId, { actor: SYSTEM, now: at });
  if (isToVisitor(mail)) return { look: await brands.readForMails(scope) };
  return { language: (await users.byEmail(scope, to))?.data.language };
}

interface Failure {
  readonly deliveryId: string;
  readonly accountId: string | null;
  readonly isLast: boolean;
  readonly error: unknown;
}

/** Records a failed attempt, and for an account's mail that its address doesn't exist, if the mail server said so. */
async function saveFailure(platform: MailPlatform, { deliveryId: id, accountId, isLast, error }: Failure): Promise<void> {
  const isRefused = error instanceof MailRefused;
  const attempt = { at: new Date(platform.now()), error: messageOf(error), isOver: isLast || isRefused };
  if (accountId === null || !isRefused || !error.isAddressUnknown) {
    await inDelivery(platform, id, (scope) => store.markTried(scope, attempt));
    return;
  }
  await inAccount(platform, { accountId, actor: SYSTEM }, async (scope) => {
    await withDelivery(scope.db, id, (delivery) => store.markTried(delivery, attempt));
    await record(scope, 'delivery.bounced', { subject: id, data: {} });
  });
}

/** Returns the rendered message. Throws `MailRefused` for a mail that only another version has. */
async function rendered(
  data: JobData['mail.send'],
  { language, look }: Pick<MailContext, 'language' | 'look'>,
  { cipher, config, bundle }: Deliverer,
): Promise<RenderedMail> {
  const { names, renderMail: render } = await bundle;
  const name = names.find((candidate) => candidate === data.mail);
  if (!name) throw new MailRefused('This version of Afterword doesn’t know this email');
  // Queued by `send`, which pairs each mail with its props.
  return render(name, propsOf(data, cipher) as never, { support: config.mail.support, language, look });
}

function propsOf(data: JobData['mail.send'], cipher: Cipher): unknown {
  if ('props' in data) return data.props;
  const props = cipher.decrypt(Buffer.from(data.sealed, 'base64'), data.deliveryId);
  // Retried like any other mail: a process with the right secret may take the job, or someone may restore the secret.
  if (props === undefined) throw new MailNotSent(SEALED_ELSEWHERE);
  return JSON.parse(props);
}

const SEALED_ELSEWHERE =
  'It was encrypted with a different secret; set IDENTITY_SECRET to the same value for every process, or restore identity.secret';

/** Returns the text of a delivery’s error. Only the mailer's own errors are quoted; others might contain personal data. */
const messageOf = (error: unknown): string => (error instanceof MailNotSent ? error.message : 'It couldn’t be created');

/** Returns a rendered mail, to send without the queue. */
export async function renderMail<Name extends MailName>(
  config: MailPlatform['config'],
  { mail, props }: { readonly mail: Name; readonly props: Mails[Name] },
): Promise<RenderedMail> {
  return (await openBundle(config)).renderMail(mail, withoutLineBreaks(props), { support: config.mail.support });
}

/** Loads the mail templates as the build made them. */
async function openBundle({ builtDir }: MailPlatform['config']): Promise<MailBundle> {
  const builtModule: { bundle: MailBundle } = await import(pathToFileURL(path.join(builtDir, 'mail-server/entry-server.js')).href);
  return builtModule.bundle;
}
