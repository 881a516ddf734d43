import PostalMime, { type Email } from 'postal-mime';
import * as v from 'valibot';
import { deliveryIdSchema } from '#contract/core/ids.ts';
import { DELIVERY_HEADER } from '../../platform/mailer/message.ts';
import { isAddressUnknown } from '../../platform/mailer/status-codes.ts';

/** A mail server's report about a mail that it or another one accepted before. */
export interface ReturnedMail {
  readonly deliveryId: string;
  /** The error of the delivery. */
  readonly error: string;
  /** Undefined if the mail came back, but not because of its address. */
  readonly event: 'delivery.bounced' | 'delivery.complained' | undefined;
}

/** Anyone can send us a mail, and nothing else runs while one is parsed, 8 µs a line. One of 1 MiB has 14,000 lines of usual length. */
const MOST_LINES = 20_000;
/** Reports are flat and have short headers. The parser rejects other mails. */
const PARSING = { maxNestingDepth: 10, maxHeadersSize: 64 * 1024, attachmentEncoding: 'utf8' } as const;

/**
 * Returns the report in a raw mail: a permanent failure (RFC 3464) or a complaint (RFC 5965). Returns undefined for any other mail,
 * malformed ones included. Only the header of the returned mail names the delivery: its random id proves that the sender had the mail.
 */
export async function readReturnedMail(raw: Buffer): Promise<ReturnedMail | undefined> {
  if (raw.toString('latin1').split('\n', MOST_LINES + 1).length > MOST_LINES) return undefined;
  const mail = await PostalMime.parse(raw, PARSING).catch(() => undefined);
  const type = mail?.headers.find(({ key }) => key === 'content-type')?.value;
  if (!mail || !/^\s*multipart\/report\b/i.test(type ?? '')) return undefined;
  const deliveryId = deliveryIn(partOf(mail, /^(?:message\/rfc822|text\/rfc822-headers)$/));
  const problem = failureIn(partOf(mail, /^message\/delivery-status$/)) ?? complaintIn(partOf(mail, /^message\/feedback-report$/));
  return deliveryId !== undefined && problem ? { deliveryId, ...problem } : undefined;
}

type ReportedProblem = Omit<ReturnedMail, 'deliveryId'>;

function failureIn(report: string): ReportedProblem | undefined {
  const recipients = report.split(BLANK_LINE).map(fieldsOf);
  const codes = recipients.filter(({ action }) => /^failed\b/i.test(action ?? '')).flatMap((recipient) => statusOf(recipient) ?? []);
  const unknown = codes.find(isAddressUnknown);
  if (unknown !== undefined) return { event: 'delivery.bounced', error: `The address doesn’t exist (${unknown})` };
  return codes[0] === undefined ? undefined : { event: undefined, error: `The mail came back (${codes[0]})` };
}

/** Returns the code of a permanent failure. Exim always states 5.0.0, and quotes the code of the mail server that refused the mail. */
function statusOf({ status = '', 'diagnostic-code': reply = '' }: Fields): string | undefined {
  const [code] = /^5\.\d{1,3}\.\d{1,3}\b/.exec(status) ?? [];
  const [, quoted = code] = /^smtp;\s*\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/i.exec(reply) ?? [];
  return code === '5.0.0' ? quoted : code;
}

function complaintIn(report: string): ReportedProblem | undefined {
  const { 'feedback-type': type = '' } = fieldsOf(report);
  return /^abuse\b/i.test(type) ? { event: 'delivery.complained', error: 'The recipient reported it as spam' } : undefined;
}

function deliveryIn(original: string): string | undefined {
  const { 'message-id': messageId = '', [DELIVERY_HEADER.toLowerCase()]: id } = fieldsOf(original.split(BLANK_LINE, 1)[0] ?? '');
  return [/^<(\w+)@/.exec(messageId)?.[1], id].find((candidate) => v.is(deliveryIdSchema, candidate));
}

/** Returns the first part of this type; empty if there is none. The parser keeps the parts of a report as attachments. */
function partOf({ attachments }: Email, type: RegExp): string {
  const content = attachments.find(({ mimeType }) => type.test(mimeType))?.content;
  return typeof content === 'string' ? content.trim() : '';
}

const BLANK_LINE = /\r?\n[ \t]*\r?\n/;

type Fields = Readonly<Record<string, string | undefined>>;

/** Returns the fields of a header by their lower-case names. Of several with the same name, the first counts. */
function fieldsOf(header: string): Fields {
  const lines = header.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  const fields = lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]);
  return Object.fromEntries(fields.reverse());
}
