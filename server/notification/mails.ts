import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { deliveryId, type MailBundle, type RenderedMail } from '#contract/mail.ts';
import { DAY } from '#contract/time.ts';
import { inDelivery, inEveryAccount } from '../kernel/access.ts';
import type { Kernel } from '../kernel/context.ts';
import { type Job, type JobData, UnrecoverableJobError, type Work } from '../kernel/jobs.ts';
import { MailNotSent, MailRefused } from '../kernel/mailer.ts';
import type { Cipher } from '../kernel/secret.ts';
import type { SendMail } from '../kernel/send-mail.ts';
import * as store from './store.ts';

/** Mails on their way: queued in the transaction that changes what they are about, rendered and sent by workers. */
export interface MailRoom {
  readonly send: SendMail;
  /** The jobs of this room. */
  readonly work: Work;
}

/** Longer than all tries of a mail take together. */
const LONGEST_QUEUED = 3 * DAY;
const KEPT = 90 * DAY;

type MailKernel = Pick<Kernel, 'secret' | 'database' | 'jobs' | 'mailer' | 'now' | 'random'>;

export function openMails(kernel: MailKernel): MailRoom {
  const { secret, jobs, now, random } = kernel;
  // The purpose is part of what is stored: with another word, no mail that waits opens.
  const cipher = secret.cipher('afterword mails: props');
  // Loaded ahead, so that the first mail need not wait. If loading fails, sending that mail fails with the reason.
  bundle().catch(() => undefined);
  return {
    async send({ db, accountId }, { to, mail, props, reason }) {
      const [id, subject] = [deliveryId(random), (await bundle()).subjectOf(mail)];
      await store.insert(db, accountId, { id, to, subject, reason, created: new Date(now()) });
      const sealed = cipher.encrypt(JSON.stringify(inLines(props)), id).toString('base64');
      await jobs.queue(db, 'mail.send', { deliveryId: id, mail, sealed });
    },
    work: {
      'mail.send': (job) => deliver({ ...kernel, cipher }, job),
      async 'notification.upkeep'() {
        await inEveryAccount(kernel, async (scope) => {
          await store.giveUpBefore(scope, new Date(now() - LONGEST_QUEUED));
          await store.forgetBefore(scope, new Date(now() - KEPT));
        });
      },
    },
  };
}

/** Replaces line breaks and direction marks in names that people chose, which could forge a line of the mail. */
function inLines<T>(value: T): T {
  if (typeof value === 'string') return value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ') as T & string;
  if (Array.isArray(value)) return value.map(inLines) as T & unknown[];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inLines(each)])) as T & object;
}

/** What sending takes; the cipher opens what `send` sealed. */
type Deliverer = MailKernel & { readonly cipher: Cipher };

/**
 * Sends one mail and notes what came of it. No connection to the database is held meanwhile, so a mail server that hangs
 * holds up nobody. A process that dies after the mail server took the mail and before that is noted leaves a job that
 * sends it again, with the same Message-ID: a mail may come twice, and none is lost.
 */
async function deliver(kernel: Deliverer, { data, isLast, signal }: Job<JobData['mail.send']>): Promise<void> {
  const { mailer, now, cipher } = kernel;
  const delivery = await inDelivery(kernel, data.deliveryId, store.waiting);
  if (!delivery) return;
  try {
    await mailer.send({ id: data.deliveryId, to: delivery.to, ...(await written(data, cipher)) }, { signal });
  } catch (error) {
    const isOver = isLast || error instanceof MailRefused;
    await inDelivery(kernel, data.deliveryId, (scope) => store.markTried(scope, { error: messageOf(error), isOver }));
    throw error instanceof MailRefused ? new UnrecoverableJobError(error.message) : error;
  }
  await inDelivery(kernel, data.deliveryId, (scope) => store.markSent(scope, new Date(now())));
}

/** The message, in words; a mail that this version does not know is given up. */
async function written(data: JobData['mail.send'], cipher: Cipher): Promise<RenderedMail> {
  const { names, renderMail } = await bundle();
  const name = names.find((each) => each === data.mail);
  if (!name) throw new MailRefused('This version of Afterword writes no such mail');
  // Queued by `send`, which pairs each mail with its props.
  return renderMail(name, propsOf(data, cipher) as never);
}

function propsOf(data: JobData['mail.send'], cipher: Cipher): unknown {
  if ('props' in data) return data.props;
  const opened = cipher.decrypt(Buffer.from(data.sealed, 'base64'), data.deliveryId);
  // Tried again like any other: a process that has the secret may take it, or somebody brings the secret back.
  if (opened === undefined) throw new MailNotSent(SEALED_ELSEWHERE);
  return JSON.parse(opened);
}

const SEALED_ELSEWHERE =
  'It was sealed with another secret; set IDENTITY_SECRET to the same value for every process, or bring back identity.secret';

/** The text of a delivery’s error. Only the mailer's own errors are quoted; others might contain personal data. */
const messageOf = (error: unknown): string => (error instanceof MailNotSent ? error.message : 'It could not be written');

const BUILT = path.resolve(import.meta.dirname, '../../dist/mail-server/entry-server.js');
let opened: Promise<MailBundle> | undefined;

/** The mails' program as the build made it, once it is needed. */
function bundle(): Promise<MailBundle> {
  opened ??= import(pathToFileURL(BUILT).href).then((built: { bundle: MailBundle }) => built.bundle);
  return opened;
}
