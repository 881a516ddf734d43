import type { SendMailOptions } from 'nodemailer';
import type { MailPicture } from '#contract/mail/mail.ts';

/** A mail to one person. */
export interface Message {
  /** The delivery's id. It's the same for each attempt, so that a mail program shows repeats once (docs/rules.md#mails). */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** Pictures that the HTML shows as `cid:<name>`. */
  readonly pictures?: readonly MailPicture[] | undefined;
  /** The link with which the recipient unsubscribes. */
  readonly leave?: string | undefined;
  /** The id of the message that this one follows. */
  readonly thread?: string | undefined;
}

export interface MailSender {
  /** The display name; may be empty. */
  readonly name: string;
  readonly address: string;
  /** The address for replies, if it's another. */
  readonly replyTo?: string | undefined;
}

/** A bare address without spaces, quotes, brackets, commas or control characters; ASCII before the @, which every server accepts. */
const ADDRESS = /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,251}[\p{L}\p{N}])?$/u;

export const isAddress = (text: string): boolean => text.length <= 254 && ADDRESS.test(text);

const MESSAGE_ID = /^[\w-]{1,80}$/;
const CONTROL = /\p{Cc}/u;

/** A failed attempt that may be retried. The message contains no personal data. */
export class MailNotSent extends Error {
  readonly #reply: string | undefined;

  constructor(message: string, { reply }: { readonly reply?: string | undefined } = {}) {
    super(message);
    this.#reply = reply;
  }

  /** The mail server's reply, for a person testing it. It may quote addresses, so it's never logged or stored. */
  get reply(): string | undefined {
    return this.#reply;
  }
}

/** The mail server will never accept this message, so it isn't retried. */
export class MailRefused extends MailNotSent {
  /** Whether the mail server said that the recipient's address doesn't exist. */
  readonly isAddressUnknown: boolean;

  constructor(message: string, { reply, isAddressUnknown = false }: RefusedDetail = {}) {
    super(message, { reply });
    this.isAddressUnknown = isAddressUnknown;
  }
}

interface RefusedDetail {
  readonly reply?: string | undefined;
  readonly isAddressUnknown?: boolean;
}

/**
 * Returns the message for the mail library, with addresses as objects, so that none is parsed, and one recipient in the envelope.
 * Throws `MailRefused` if it could become anything but one mail to one person.
 */
export function toMailOptions({ id, to, subject, html, text, pictures = [], leave, thread }: Message, from: MailSender): SendMailOptions {
  if (!isAddress(to)) throw new MailRefused('The address is invalid');
  if (!MESSAGE_ID.test(id) || !MESSAGE_ID.test(thread ?? id)) throw new MailRefused('The id is invalid');
  if (CONTROL.test(subject) || subject.length > 200) throw new MailRefused('The subject is invalid');
  if (leave !== undefined && !LINK.test(leave)) throw new MailRefused('The unsubscribe link is invalid');
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
    attachments: pictures.map(({ name, content }) => ({
      cid: name,
      filename: `${name}.png`,
      contentType: 'image/png',
      contentDisposition: 'inline' as const,
      content: Buffer.from(content),
    })),
    textEncoding: 'quoted-printable',
    headers: {
      [DELIVERY_HEADER]: id,
      // Prevents automatic replies.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(leave !== undefined && unsubscribeHeaders(leave)),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Repeats the delivery's id for returned mails, because Amazon SES replaces the Message-ID. */
export const DELIVERY_HEADER = 'X-Afterword-Delivery';

/** A URL that can't be turned into another header. */
const LINK = /^https?:\/\/[\w.~:/?#@!$&'()*+,;=%[\]-]{1,800}$/;

/** Headers for the mail program's unsubscribe button (RFC 2369), which may post to the link over TLS only (RFC 8058). */
const unsubscribeHeaders = (link: string): Readonly<Record<string, string>> => ({
  'List-Unsubscribe': `<${link}>`,
  ...(link.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
});

const domainOf = ({ address }: MailSender): string => address.slice(address.lastIndexOf('@') + 1);

/** Sends mails to the mail server, or writes them to a folder without one. */
export interface Mailer {
  /**
   * Resolves once the mail server or the disk has the message. Throws `MailRefused` if a retry can't succeed, `MailNotSent` or
   * another error if it may.
   */
  send(message: Message, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Connects and signs in without sending a mail. Throws `MailNotSent` if that fails. */
  reach(): Promise<void>;
  stop(): void;
}
