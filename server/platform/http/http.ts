import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import { refusal } from '#contract/core/errors.ts';
import type { Config } from '../config/config.ts';
import { warnSeldom } from '../log/log.ts';
import { answerHeaders, BARE_HEADERS } from './headers.ts';
import { parseJson } from './json.ts';
import { brokenProblem, PROBLEM_TYPE, problemOf, rawProblem, refusalOf } from './problem.ts';
import { sendRefusalPage, wantsPage } from './refusal-page.ts';
import { limitSockets } from './sockets.ts';

/** Times in milliseconds, sizes in bytes. */
const LIMITS = {
  /** How long a request's headers may take (ms), and their size (bytes). @limit request-head */
  headersTimeout: 8_000,
  headerSize: 16 * 1024,
  /** How long a whole request may take to arrive, and how often that is checked (ms). @limit request-time */
  requestTimeout: 10_000,
  checkInterval: 1_000,
  /** How long a response may take after its request arrived (ms). @limit answer-time */
  handlerTimeout: 10_000,
  /** How long an idle connection stays open (ms): longer than at a proxy, so that the proxy closes it first. @limit keep-alive */
  keepAliveTimeout: 65_000,
  /** The body of a call of the data API (bytes). @limit api-body */
  apiBody: 256 * 1024,
  /** How long a refused socket stays open for its answer to be read. */
  linger: 500,
} as const;
/** The body of a form that a browser posts (bytes). @limit form-body */
export const FORM_BODY = 64 * 1024;

/** Accepts forms as the body of requests, up to `bodyLimit` bytes or the limit of their route. */
export function acceptForms(http: FastifyInstance, bodyLimit = FORM_BODY): void {
  http.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
  );
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The operation and account, filled in during the request, for the log. */
    trace: { operation?: string; accountId?: string };
  }
}

/** Warns once if there seems to be an untrusted proxy, because then all visitors share one address and its limits. */
function warnOfProxies(http: FastifyInstance, log: Logger): void {
  let isWarned = false;
  http.addHook('onRequest', ({ headers }, _reply, done) => {
    done();
    if (isWarned || headers['x-forwarded-for'] === undefined) return;
    isWarned = true;
    log.warn(
      'A request has an X-Forwarded-For header, which is ignored because TRUSTED_PROXIES is 0. Behind a proxy, set TRUSTED_PROXIES to the number of proxies, or all visitors share one address and its limits.',
    );
  });
}

/** Options for tests. */
interface HttpOptions {
  /** Time a handler may take before its request is answered with 503 (ms). */
  readonly handlerTimeout?: number;
}

/** Creates the web server with its limits, headers, log and error responses; the app adds the routes. */
export function createHttp(
  config: Pick<Config, 'hsts' | 'trustedProxies' | 'publicUrl'>,
  log: Logger,
  { handlerTimeout = LIMITS.handlerTimeout }: HttpOptions = {},
): FastifyInstance {
  const base: FastifyBaseLogger = log;
  const http = fastify({
    loggerInstance: base,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // Counted from our end of the chain; entries added further left are never trusted.
    trustProxy: (_address, hop) => hop < config.trustedProxies,
    bodyLimit: LIMITS.apiBody,
    requestTimeout: LIMITS.requestTimeout,
    keepAliveTimeout: LIMITS.keepAliveTimeout,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    http: {
      headersTimeout: LIMITS.headersTimeout,
      connectionsCheckingInterval: LIMITS.checkInterval,
      maxHeaderSize: LIMITS.headerSize,
    },
    clientErrorHandler: answerBrokenHttp,
    frameworkErrors: (error, request, reply) => {
      void reply.headers(BARE_HEADERS);
      answerError(error, request, reply);
    },
  });
  limitSockets(http, config);
  beginRequests(http, answerHeaders(config));
  limitHandlers(http, handlerTimeout);
  if (config.trustedProxies === 0) warnOfProxies(http, log);
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) => parseJson(body));
  const warnOfDatabase = warnSeldom(log, 'the database does not answer');
  http.setErrorHandler((error: Error, request, reply) => {
    if (refusalOf(error)?.code === 'database-away') warnOfDatabase(error);
    answerError(error, request, reply);
  });
  http.setNotFoundHandler((request, reply) => answerError(refusal('not-found'), request, reply));
  addLog(http, log);
  return http;
}

/**
 * Turns an error into an answer: a refusal as it is, any other error logged once and answered neutrally. A browser that opens a link
 * gets a page, any other client a problem.
 */
function answerError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const refused = refusalOf(error);
  if (!refused) request.log.error({ err: error, operation: request.trace?.operation }, 'a bug');
  const problem = refused ? problemOf(refused, request.id) : brokenProblem(request.id);
  void reply.code(problem.status).header('cache-control', 'no-store');
  if (refused?.retryAfter !== undefined) void reply.header('retry-after', String(refused.retryAfter));
  if (refused?.code === 'not-signed-in') void reply.header('www-authenticate', 'Bearer');
  if (wantsPage(request)) void sendRefusalPage(reply, problem, refused?.retryAfter);
  else
    void reply
      .type(PROBLEM_TYPE)
      .serializer((body) => JSON.stringify(body))
      .send(problem);
}

/** Answers a request that isn't HTTP, has too large a head, or is too slow. */
function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  socket.end(rawProblem(slow ? 'too-slow' : error.code === 'HPE_HEADER_OVERFLOW' ? 'too-large' : 'bad-input'));
  // Without this the caller would decide when the socket closes.
  setTimeout(() => socket.destroy(), LIMITS.linger).unref();
}

/** Limits how long handlers take, because Fastify's own limit ends once the body is read. */
function limitHandlers(http: FastifyInstance, handlerTimeout: number): void {
  http.addHook('preHandler', (request, reply, done) => {
    const timer = setTimeout(() => {
      // The handler may still finish, but no one waits for it.
      if (!reply.sent && !reply.raw.headersSent) answerError(refusal('overloaded', { retryAfter: 2 }), request, reply);
    }, handlerTimeout);
    reply.raw.once('close', () => clearTimeout(timer));
    done();
  });
}

/** Gives every request its trace and every answer its headers. Hooks of requests are synchronous, because visitors wait for them. */
function beginRequests(http: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  http.decorateRequest('trace');
  http.addHook('onRequest', (request, reply, done) => {
    request.trace = {};
    void reply.headers(headers);
    done();
  });
}

/** Logs one line per request, with the route's pattern, never the URL, which may contain a key. */
function addLog(http: FastifyInstance, log: Logger): void {
  http.addHook('onResponse', (request, reply, done) => {
    done();
    if (!log.isLevelEnabled('info')) return;
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...request.trace,
      },
      'request',
    );
  });
}

/** The shortest text worth compressing (UTF-16 units): about what fits in one packet. */
const SHORTEST = 1_400;

/** Sends text, compressed off the main thread if it isn't short and the client accepts gzip. */
export async function sendCompressed(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  if (text.length < SHORTEST || !accepts(request, 'gzip')) return reply.send(text);
  return reply.header('content-encoding', 'gzip').send(await promisify(gzip)(text));
}

export type Encoding = 'br' | 'gzip';

const ACCEPTED: Readonly<Record<Encoding, RegExp>> = { br: acceptedAs('br'), gzip: acceptedAs('gzip') };

/** Returns whether the client accepts an encoding (RFC 9110, 12.5.3). */
export const accepts = ({ headers }: FastifyRequest, encoding: Encoding): boolean =>
  ACCEPTED[encoding].test(String(headers['accept-encoding'] ?? ''));

/** Matches the encoding unless its quality is 0. */
function acceptedAs(encoding: Encoding): RegExp {
  return new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`);
}
