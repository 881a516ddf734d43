import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import type { Mailer } from './mailer/message.ts';
import { openOutbox } from './mailer/outbox.ts';
import { openSmtp, type SmtpTiming } from './mailer/smtp.ts';

export { type Mailer, MailNotSent, MailRefused, type Message } from './mailer/message.ts';

interface MailerOptions {
  readonly config: Pick<Config, 'mail' | 'dataDir'>;
  readonly log: Pick<FastifyBaseLogger, 'info'>;
  /** UTC ms. */
  readonly now: () => number;
  readonly timing?: Partial<SmtpTiming>;
}

export function openMailer({ config: { mail, dataDir }, log, now, timing }: MailerOptions): Mailer {
  if (mail.server) return openSmtp({ from: mail.from, server: mail.server, timing });
  const outbox = openOutbox({ from: mail.from, dataDir, now });
  log.info({ folder: outbox.folder }, 'no SMTP_URL is set: mails are not sent but written to this folder');
  return outbox;
}
