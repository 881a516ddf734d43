/** A mail from the outbox, decoded for display. */
export interface ReadMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly date: string;
  readonly text: string;
}

/** Decodes a file that `openOutbox` wrote; it supports only that subset of the format. */
export function readMail(eml: string): ReadMail {
  const { headers, body } = partsOf(eml);
  const header = (name: string): string => decodeWords(headers.get(name) ?? '');
  return { from: header('from'), to: header('to'), subject: header('subject'), date: header('date'), text: textOf(headers, body) };
}

function partsOf(text: string): { headers: Map<string, string>; body: string } {
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end);
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { headers: new Map(headers), body: end < 0 ? '' : text.slice(end + 4) };
}

/** Returns the first plain text part. */
function textOf(headers: Map<string, string>, body: string): string {
  const [, boundary] = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '') ?? [];
  if (boundary === undefined) return isQuoted(headers) ? decodeQuotedPrintable(body) : body;
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => partsOf(part.replace(/^\r\n/, '')));
  const plain = parts.find((part) => part.headers.get('content-type')?.startsWith('text/plain'));
  return plain ? textOf(plain.headers, plain.body) : '';
}

const isQuoted = (headers: Map<string, string>): boolean => headers.get('content-transfer-encoding') === 'quoted-printable';

const decodeQuotedPrintable = (text: string): string => fromHex(text.replace(/=\r\n/g, ''));

const fromHex = (text: string): string =>
  text.replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'));

/** Decodes non-ASCII words such as `=?UTF-8?Q?Caf=C3=A9?=`. */
const decodeWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_word, kind: string, word: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(word, 'base64').toString('utf8') : fromHex(word.replaceAll('_', ' ')),
    );
