import type { SendMailOptions } from 'nodemailer';

/** One mail to one person. */
export interface Message {
  /** Of the delivery: the same at each try, so that a mail program shows a repeat once (docs/rules.md#mails). */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** Where its recipient leaves the list that it came from. */
  readonly leave?: string | undefined;
  /** The id of the message that this one follows up on. */
  readonly thread?: string | undefined;
}

/** Who the mails are from. */
export interface MailSender {
  /** What is shown; may be empty. */
  readonly name: string;
  readonly address: string;
  /** Where answers go, if not there. */
  readonly replyTo?: string | undefined;
}

/** One address and nothing else: no space, quote, bracket, comma or control character. Before the @ only ASCII, which every server takes. */
const ADDRESS = /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,251}[\p{L}\p{N}])?$/u;

export const isAddress = (text: string): boolean => text.length <= 254 && ADDRESS.test(text);

const MESSAGE_ID = /^[\w-]{1,80}$/;
const CONTROL = /\p{Cc}/u;

/** This try failed; another may succeed. The message contains no personal data. */
export class MailNotSent extends Error {
  readonly #reply: string | undefined;

  constructor(message: string, { reply }: { readonly reply?: string | undefined } = {}) {
    super(message);
    this.#reply = reply;
  }

  /** The mail server's own words, for the person who is testing it. They may quote addresses, so they are never logged or stored. */
  get reply(): string | undefined {
    return this.#reply;
  }
}

/** The mail server will never accept this message, so trying again is of no use. */
export class MailRefused extends MailNotSent {}

/**
 * The message as the mail library takes it (docs/limits.md#mail-shape): addresses as objects, so that none is parsed; one recipient in the
 * envelope, whatever the headers say. Throws `MailRefused` when it could become anything but one mail to one person.
 */
export function composed({ id, to, subject, html, text, leave, thread }: Message, from: MailSender): SendMailOptions {
  if (!isAddress(to)) throw new MailRefused('The address is not one');
  if (!MESSAGE_ID.test(id) || !MESSAGE_ID.test(thread ?? id)) throw new MailRefused('The id is not one');
  if (CONTROL.test(subject) || subject.length > 200) throw new MailRefused('The subject is not a line');
  if (leave !== undefined && !LINK.test(leave)) throw new MailRefused('The link to leave the list is not one');
  const idOf = (message: string): string => `<${message}@${domainOf(from)}>`;
  return {
    messageId: idOf(id),
    ...(thread !== undefined && { inReplyTo: idOf(thread), references: idOf(thread) }),
    from: { name: from.name, address: from.address },
    ...(from.replyTo !== undefined && { replyTo: { name: '', address: from.replyTo } }),
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    subject,
    text,
    html,
    textEncoding: 'quoted-printable',
    // Programs must not answer it with their own, and lists must not take it for a person's.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...(leave !== undefined && leaving(leave)) },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** One address, which cannot become another header. */
const LINK = /^https?:\/\/[\w.~:/?#@!$&'()*+,;=%[\]-]{1,800}$/;

/** RFC 2369 and RFC 8058: the mail program's own button, which posts to the address. It may do so over TLS only. */
const leaving = (link: string): Readonly<Record<string, string>> => ({
  'List-Unsubscribe': `<${link}>`,
  ...(link.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
});

const domainOf = ({ address }: MailSender): string => address.slice(address.lastIndexOf('@') + 1);

/** Sends mails to the mail server, or writes them to a folder where none is set. */
export interface Mailer {
  /**
   * Gives back when the mail server has the message, or the disk. Throws `MailRefused` when it never will,
   * `MailNotSent` or another error when another try may do.
   */
  send(message: Message, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Connects and signs in as for a mail, and sends none. Throws `MailNotSent` where that fails. */
  reach(): Promise<void>;
  stop(): void;
}
