import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { deliveryId, type MailBundle, type RenderedMail } from '#contract/notification.ts';
import type { Facts, TellMail } from '../events.ts';
import { inEveryAccount } from '../kernel/access.ts';
import type { Kernel } from '../kernel/context.ts';
import type { Reactions } from '../kernel/facts.ts';
import { GivenUp, type Job, type JobData, type Work } from '../kernel/jobs.ts';
import { MailNotSent, MailRefused } from '../kernel/mailer.ts';
import { letterOf } from './mail.ts';
import * as store from './store.ts';

/** The room that alone writes mail. */
export interface Notification {
  readonly tell: TellMail;
  readonly reactions: Reactions<Facts>;
  /** What the workers do for it. */
  readonly work: Work;
}

const DAY = 86_400_000;
/** Longer than all tries of a mail take together. */
const LONGEST_QUEUED = 3 * DAY;
const KEPT = 90 * DAY;

type Machinery = Pick<Kernel, 'config' | 'database' | 'jobs' | 'mailer' | 'now' | 'random'>;

export function openNotification(kernel: Machinery): Notification {
  const { config, jobs, now, random } = kernel;
  // On its way before the first mail, whose teller must not wait; where it fails, that one says so.
  bundle().catch(() => undefined);
  return {
    async tell({ db, accountId }, name, fact) {
      const letter = letterOf(config, name, fact);
      if (!letter) throw new Error(`No mail tells ${name}`);
      const [id, subject] = [deliveryId(random), (await bundle()).subjectOf(letter.name)];
      await store.insert(db, accountId, { id, to: fact.email, subject, reason: name, created: new Date(now()) });
      await jobs.queue(db, 'mail.send', { deliveryId: id, name, fact });
    },
    reactions: {},
    work: {
      'mail.send': (job) => send(kernel, job),
      async 'notification.upkeep'() {
        await inEveryAccount(kernel, async (everywhere) => {
          await store.giveUpBefore(everywhere, new Date(now() - LONGEST_QUEUED));
          await store.forgetBefore(everywhere, new Date(now() - KEPT));
        });
      },
    },
  };
}

/**
 * Sends one mail and notes what came of it. No connection to the database is held meanwhile, so a mail server that hangs
 * holds up nobody. A process that dies after the mail server took the mail and before that is noted leaves a job that
 * sends it again, with the same Message-ID: a mail may come twice, and none is lost.
 */
async function send(kernel: Machinery, { data, isLast, signal }: Job<JobData['mail.send']>): Promise<void> {
  const { database, mailer, now } = kernel;
  const inDelivery = <T>(work: (scope: store.DeliveryScope) => Promise<T>): Promise<T> =>
    database.transaction({}, async (db) => work(await store.delivery(db, data.deliveryId)));

  const delivery = await inDelivery(store.waiting);
  if (!delivery) return;
  try {
    await mailer.send({ id: data.deliveryId, to: delivery.to, ...(await written(kernel, data)) }, { signal });
  } catch (error) {
    const isOver = isLast || error instanceof MailRefused;
    await inDelivery((scope) => store.markTried(scope, { error: messageOf(error), isOver }));
    throw error instanceof MailRefused ? new GivenUp(error.message) : error;
  }
  await inDelivery((scope) => store.markSent(scope, new Date(now())));
}

/** The message, in words; a fact that no version of this product knows is given up. */
async function written({ config }: Machinery, { name, fact }: JobData['mail.send']): Promise<RenderedMail> {
  const letter = letterOf(config, name, fact);
  if (!letter) throw new MailRefused('This version of Afterword writes no such mail');
  return (await bundle()).renderMail(letter.name, letter.props);
}

/** The mailer's words quote nobody; another error's might. */
const messageOf = (error: unknown): string => (error instanceof MailNotSent ? error.message : 'It could not be written');

const BUILT = path.resolve(import.meta.dirname, '../../dist/mail-server/entry-server.js');
let opened: Promise<MailBundle> | undefined;

/** The mails' program as the build made it, once it is needed. */
function bundle(): Promise<MailBundle> {
  opened ??= import(pathToFileURL(BUILT).href).then((built: { bundle: MailBundle }) => built.bundle);
  return opened;
}
