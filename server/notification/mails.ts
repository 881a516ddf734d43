import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { DAY } from '#contract/core/time.ts';
import { deliveryId, MAIL_URGENCY, type MailBundle, type MailName, type Mails, type RenderedMail } from '#contract/mail/mail.ts';
import { RETRY_KEPT, URGENCY } from '#contract/notification/delivery.ts';
import type { Platform } from '../platform/context.ts';
import { forgetOld } from '../platform/database/portions.ts';
import { eachApart } from '../platform/each-settled.ts';
import { type Job, type JobData, UnrecoverableJobError, type Work } from '../platform/jobs/jobs.ts';
import { inLines } from '../platform/lines.ts';
import { MailNotSent, MailRefused } from '../platform/mailer/mailer.ts';
import type { SendMail, WithdrawMail } from '../platform/mailer/send-mail.ts';
import type { Cipher } from '../platform/secret.ts';
import { type Clocked, inDelivery, withDelivery } from '../platform/tenancy/access.ts';
import { keepBell } from './bell.ts';
import { forgetFailing } from './devices-store.ts';
import * as store from './store.ts';

/** Mails on their way: queued in the transaction that changes what they are about, rendered and sent by workers. */
export interface MailRoom {
  readonly send: SendMail;
  readonly withdraw: WithdrawMail;
  /** The jobs of this room. */
  readonly work: Work;
}

/** Longer than all tries of a mail take together. */
const LONGEST_QUEUED = 3 * DAY;
const KEPT = 90 * DAY;
/** A device that took nothing for so long is forgotten. */
const DEVICES_KEPT = 14 * DAY;

type MailPlatform = Pick<Platform, 'config' | 'secret' | 'database' | 'jobs' | 'mailer' | 'now' | 'random'>;

export function openMails(platform: MailPlatform): MailRoom {
  const { config, secret, jobs, now, random } = platform;
  // The purpose is part of what is stored: with another word, no mail that waits opens.
  const cipher = secret.cipher('afterword mails: props');
  // Loaded ahead, so that the first mail need not wait. If loading fails, sending that mail fails with the reason.
  const bundle = openBundle(config);
  bundle.catch(() => undefined);
  return {
    async send({ db, accountId, sub }, { to, mail, props, reason, thread }) {
      const [id, subject] = [deliveryId(random), (await bundle).subjectOf(mail)];
      const sealed = cipher.encrypt(JSON.stringify(inLines(props)), id);
      // What is of no account, such as a code to sign in with, is nobody's to send again.
      const kept = accountId === undefined ? {} : { mail, sealed };
      await store.insert(db, accountId, { id, sub, channel: 'email', to, subject, reason, created: new Date(now()), ...kept });
      const data = { deliveryId: id, mail, sealed: sealed.toString('base64'), ...(thread !== undefined && { thread }) };
      await jobs.queue(db, 'mail.send', data, { priority: URGENCY[MAIL_URGENCY[mail]] });
      return { id, subject };
    },
    withdraw: ({ db }, id) => withDelivery(db, id, store.withdraw),
    work: {
      'mail.send': (job) => deliver({ ...platform, cipher, bundle }, job),
      async 'notification.upkeep'() {
        await eachApart([keepDeliveries, keepBell], (keep) => keep(platform));
      },
    },
  };
}

/** Gives up and forgets what is old, each kind apart. */
const keepDeliveries = (platform: Clocked): Promise<void> =>
  forgetOld(platform, [
    [store.giveUpBefore, LONGEST_QUEUED],
    [store.unsealBefore, RETRY_KEPT],
    [store.forgetBefore, KEPT],
    [forgetFailing, DEVICES_KEPT],
  ]);

/** What sending takes; the cipher opens what `send` sealed. */
type Deliverer = MailPlatform & { readonly cipher: Cipher; readonly bundle: Promise<MailBundle> };

/**
 * Sends one mail and notes what came of it. No connection to the database is held meanwhile, so a mail server that hangs
 * holds up nobody. A process that dies after the mail server took the mail and before that is noted leaves a job that
 * sends it again, with the same Message-ID: a mail may come twice, and none is lost.
 */
async function deliver(platform: Deliverer, { data, isLast, signal }: Job<JobData['mail.send']>): Promise<void> {
  const { mailer, now } = platform;
  const delivery = await inDelivery(platform, data.deliveryId, (scope) => store.take(scope, new Date(now())));
  if (!delivery) return;
  try {
    const message = { id: data.deliveryId, to: delivery.to, thread: data.thread, ...(await written(data, platform)) };
    await mailer.send(message, { signal });
  } catch (error) {
    const isOver = isLast || error instanceof MailRefused;
    await inDelivery(platform, data.deliveryId, (scope) =>
      store.markTried(scope, { at: new Date(now()), error: messageOf(error), isOver }),
    );
    throw error instanceof MailRefused ? new UnrecoverableJobError(error.message) : error;
  }
  await inDelivery(platform, data.deliveryId, (scope) => store.markSent(scope, new Date(now())));
}

/** The message, in words; a mail that this version does not know is given up. */
async function written(data: JobData['mail.send'], { cipher, config, bundle }: Deliverer): Promise<RenderedMail> {
  const { names, renderMail } = await bundle;
  const name = names.find((each) => each === data.mail);
  if (!name) throw new MailRefused('This version of Afterword doesn’t know this email');
  // Queued by `send`, which pairs each mail with its props.
  return renderMail(name, propsOf(data, cipher) as never, { support: config.mail.support });
}

function propsOf(data: JobData['mail.send'], cipher: Cipher): unknown {
  if ('props' in data) return data.props;
  const opened = cipher.decrypt(Buffer.from(data.sealed, 'base64'), data.deliveryId);
  // Tried again like any other: a process that has the secret may take it, or somebody brings the secret back.
  if (opened === undefined) throw new MailNotSent(SEALED_ELSEWHERE);
  return JSON.parse(opened);
}

const SEALED_ELSEWHERE =
  'It was encrypted with a different secret; set IDENTITY_SECRET to the same value for every process, or restore identity.secret';

/** The text of a delivery’s error. Only the mailer's own errors are quoted; others might contain personal data. */
const messageOf = (error: unknown): string => (error instanceof MailNotSent ? error.message : 'It couldn’t be created');

/** A mail in words, for one that is sent past the queue. */
export async function renderMail<Name extends MailName>(
  config: MailPlatform['config'],
  { mail, props }: { readonly mail: Name; readonly props: Mails[Name] },
): Promise<RenderedMail> {
  return (await openBundle(config)).renderMail(mail, inLines(props), { support: config.mail.support });
}

/** The mails' program as the build made it. */
async function openBundle({ builtDir }: MailPlatform['config']): Promise<MailBundle> {
  const built: { bundle: MailBundle } = await import(pathToFileURL(path.join(builtDir, 'mail-server/entry-server.js')).href);
  return built.bundle;
}
