import { pluralize } from '#contract/core/sentences.ts';
import { deliveryId, pageLink } from '#contract/mail/mail.ts';
import { deliveryOperations } from '#contract/notification/delivery.ts';
import { recordForInstallation } from '../event/store.ts';
import { renderMail } from '../notification/mail/mails.ts';
import { jobsStatus } from '../platform/jobs/status.ts';
import { MailNotSent } from '../platform/mailer/mailer.ts';
import { isAddress } from '../platform/mailer/message.ts';
import { outboxFolder } from '../platform/mailer/outbox.ts';
import { atCommandLine } from '../platform/tenancy/access.ts';
import type { Installation } from './installation.ts';
import { type CommandOutcome, CommandRefused, duration, table } from './output.ts';

/** Sends a test email at once, bypassing the queue, and reports the mail server's reply. */
export async function testMail({ platform }: Installation, to: string): Promise<CommandOutcome> {
  if (!isAddress(to)) throw new CommandRefused(`${to} isn’t an email address.`);
  const { config, mailer, random } = platform;
  const id = deliveryId(random);
  const mail = await renderMail(config, { mail: 'delivery-test', props: { name: to, link: pageLink(config.publicUrl) } });
  await atCommandLine(platform, (scope) => recordForInstallation(scope, 'mail.tested', { subject: id, data: {} }));
  try {
    await mailer.send({ id, to, ...mail });
  } catch (error) {
    if (!(error instanceof MailNotSent)) throw error;
    const reply = error.reply === undefined ? '' : ` It replied: ${error.reply}`;
    throw new CommandRefused(`${error.message}.${reply}\nCheck SMTP_URL and MAIL_FROM.`);
  }
  const { server, from } = config.mail;
  const text = server
    ? `${server.host} accepted a test email to ${to}, from ${from.address}. If it doesn’t arrive, check the spam folder of ${to}.`
    : `SMTP_URL isn’t set, so the test email to ${to} was written to ${outboxFolder(config.dataDir)}.`;
  return { data: { to, from: from.address, isSent: server !== undefined }, text };
}

/** Shows waiting jobs by name and unsent mails by host. */
export async function showQueue({ platform, operate, handlers }: Installation): Promise<CommandOutcome> {
  const jobs = await atCommandLine(platform, ({ db }) => jobsStatus(db));
  const mails = await operate(deliveryOperations.queue, handlers.delivery.queue, {});
  if (mails.status !== 'ok') throw new Error('The queue of mails was not found');
  const { status: _ok, ...mailQueue } = mails;
  const age = (since: number | null | undefined): string => (since ? duration(platform.now() - since) : '');
  const rows = jobs.map(({ name, waiting, running, later, failed, oldest }) => [name, waiting, running, later, failed, age(oldest)]);
  const hosts = mails.hosts.map(({ host, waiting, failed, lastError = '' }) => [host, waiting, failed, lastError]);
  const sections = [
    rows.length === 0 ? 'No jobs are waiting.' : table(['Job', 'Waiting', 'Running', 'Later', 'Given up', 'Oldest waiting for'], rows),
    hosts.length === 0
      ? 'Every email was sent.'
      : `${table(['Mail to', 'Waiting', 'Failed in a day', 'Last error'], hosts)}\n\n${pluralize(mails.waiting, 'mail is', 'mails are')} waiting${mails.oldest ? `, the oldest for ${age(mails.oldest)}` : ''}.`,
  ];
  return { data: { jobs, mails: mailQueue }, text: sections.join('\n\n') };
}
