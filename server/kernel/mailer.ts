import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import type { Message } from './mailer/message.ts';
import { openOutbox } from './mailer/outbox.ts';
import { openSmtp, type SmtpTiming } from './mailer/smtp.ts';

export { MailNotSent, MailRefused, type Message } from './mailer/message.ts';

/** Sends mails to the mail server, or writes them to a folder where none is set. */
export interface Mailer {
  /**
   * Gives back when the mail server has the message, or the disk. Throws `MailRefused` when it never will,
   * `MailNotSent` or another error when another try may do.
   */
  send(message: Message, options?: { readonly signal?: AbortSignal }): Promise<void>;
  stop(): void;
}

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
