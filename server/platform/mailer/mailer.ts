import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Mailer } from './message.ts';
import { openOutbox } from './outbox.ts';
import { type OutboxConfig, outboxAddress } from './page.ts';
import { openSmtp, type SmtpTiming } from './smtp.ts';

export { type Mailer, MailNotSent, MailRefused, type Message } from './message.ts';

interface MailerOptions {
  readonly config: OutboxConfig & Pick<Config, 'dataDir'>;
  readonly log: Pick<FastifyBaseLogger, 'info'>;
  /** UTC ms. */
  readonly now: () => number;
  readonly timing?: Partial<SmtpTiming>;
}

export function openMailer({ config, log, now, timing }: MailerOptions): Mailer {
  const { mail, dataDir } = config;
  if (mail.server) return openSmtp({ from: mail.from, server: mail.server, timing });
  const outbox = openOutbox({ from: mail.from, dataDir, now });
  const page = outboxAddress(config);
  if (page === undefined) log.info({ folder: outbox.folder }, 'no SMTP_URL is set: mails are written to this folder instead of being sent');
  else log.info({ page, folder: outbox.folder }, 'no SMTP_URL is set: mails are shown on this page instead of being sent');
  return outbox;
}
