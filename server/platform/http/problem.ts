import { type Problem, REFUSALS, Refusal, type RefusalCode, refusal } from '#contract/core/errors.ts';
import { asRefusal } from '../database/database.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** What protects an answer that no hook of ours sees: one to what is not HTTP, or to an address that cannot be read. */
export const BARE_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

/** What Fastify says of a request that never reached a handler. */
const FASTIFY_CODES: Readonly<Record<string, RefusalCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'not-json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'bad-json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad-input',
  FST_ERR_CTP_INVALID_JSON_BODY: 'bad-json',
  FST_ERR_BAD_URL: 'not-found',
};

/** The refusal that an error stands for; undefined when it is a bug of ours. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const { code = '', statusCode } = (error ?? {}) as { code?: string; statusCode?: number };
  const known = FASTIFY_CODES[code];
  if (known) return refusal(known);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return refusal('bad-input');
  return asRefusal(error);
}

/** A refusal as the API sends it (RFC 9457). */
export function problemOf({ code, status, message, detail, errors }: Refusal, requestId: string): Problem {
  return {
    type: `urn:afterword:problem:${code}`,
    title: message,
    status,
    code,
    ...(detail !== undefined && { detail }),
    ...(errors.length > 0 && { errors: [...errors] }),
    requestId,
  };
}

/** What a bug of ours looks like from outside: one neutral message and the id that the log has it under. */
export const brokenProblem = (requestId: string): Problem => problemOf(refusal('broken'), requestId);

/** An answer written straight to a socket, for what is not even HTTP. */
export function rawProblem(code: RefusalCode): string {
  const [status, title] = REFUSALS[code];
  const body = JSON.stringify({ type: `urn:afterword:problem:${code}`, title, status, code });
  return [
    `HTTP/1.1 ${status} ${title.replace(/[^ -~]/g, '')}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...Object.entries(BARE_HEADERS).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}
