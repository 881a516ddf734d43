import { type Problem, REFUSALS, Refusal, type RefusalCode, refusal } from '#contract/core/errors.ts';
import { asRefusal } from '../database/database.ts';
import { BARE_HEADERS } from './headers.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Refusal codes for Fastify's errors of requests that reach no handler. */
const FASTIFY_CODES: Readonly<Record<string, RefusalCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'not-json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'bad-json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad-input',
  FST_ERR_CTP_INVALID_JSON_BODY: 'bad-json',
  FST_ERR_BAD_URL: 'not-found',
};

/** Returns the refusal for an error; undefined if it's a bug. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const { code = '', statusCode } = (error ?? {}) as { code?: string; statusCode?: number };
  const fastifyCode = FASTIFY_CODES[code];
  if (fastifyCode) return refusal(fastifyCode);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return refusal('bad-input');
  return asRefusal(error);
}

/** Returns a refusal as a problem (RFC 9457), as the API sends it. */
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

/** Returns the problem for a bug: a neutral message, and the request's id to find it in the log. */
export const brokenProblem = (requestId: string): Problem => problemOf(refusal('broken'), requestId);

/** Returns a raw HTTP answer to write to a socket, for requests that aren't valid HTTP. */
export function rawProblem(code: RefusalCode): string {
  const [status, title] = REFUSALS[code];
  const body = JSON.stringify({ type: `urn:afterword:problem:${code}`, title, status, code });
  return [
    `HTTP/1.1 ${status} ${title.replace(/[^ -~]/g, '')}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    'Cache-Control: no-store',
    ...Object.entries(BARE_HEADERS).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}
