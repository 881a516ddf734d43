import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import helmet from '@fastify/helmet';
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import { refusal } from '#contract/core/errors.ts';
import type { Config } from '../config/config.ts';
import { warnSeldom } from '../log/log.ts';
import { parseJson } from './json.ts';
import { BARE_HEADERS, brokenProblem, PROBLEM_TYPE, problemOf, rawProblem, refusalOf } from './problem.ts';
import { sendRefusalPage, wantsPage } from './refusal-page.ts';
import { limitSockets } from './sockets.ts';

/** docs/limits.md#requests. Times in milliseconds, sizes in bytes. */
const LIMITS = {
  headersTimeout: 8_000,
  requestTimeout: 10_000,
  checkInterval: 1_000,
  keepAliveTimeout: 65_000,
  handlerTimeout: 10_000,
  headerSize: 16 * 1024,
  apiBody: 256 * 1024,
  /** How long a socket that was refused stays open for its answer to be read. */
  linger: 500,
} as const;
/** What a public form's post may weigh. */
export const FORM_BODY = 64 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** Filled in on the way, for the log: which operation, for which account. */
    trace: { operation?: string; accountId?: string };
  }
}

/** Says once that a proxy seems to stand in front and is not believed: then every visitor is one and the same to the limits. */
function tellOfProxies(http: FastifyInstance, log: Logger): void {
  let isSaid = false;
  http.addHook('onRequest', async ({ headers }) => {
    if (isSaid || headers['x-forwarded-for'] === undefined) return;
    isSaid = true;
    log.warn(
      'A request names the address that it was forwarded for, and TRUSTED_PROXIES is 0, so nobody believes it. Behind a proxy set it to the number of proxies: as it is, all visitors seem to be one, and limits meet them together.',
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
    // Counted from our end of the chain; what a caller wrote further left is never believed (docs/limits.md#caller-address).
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
  refuseWhileClosing(http);
  limitHandlers(http, handlerTimeout);
  http.decorateRequest('trace');
  http.addHook('onRequest', async (request) => {
    request.trace = {};
  });
  if (config.trustedProxies === 0) tellOfProxies(http, log);
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) => parseJson(body));
  const warnOfDatabase = warnSeldom(log, 'the database does not answer');
  http.setErrorHandler((error: Error, request, reply) => {
    if (refusalOf(error)?.code === 'database-away') warnOfDatabase(error);
    answerError(error, request, reply);
  });
  http.setNotFoundHandler((request, reply) => answerError(refusal('not-found'), request, reply));
  addHeaders(http, config);
  addLog(http, log);
  return http;
}

/**
 * One edge turns errors into answers: refusals as they are, everything else logged once and answered neutrally. A browser that opens
 * a link gets a page, everybody else a problem.
 */
function answerError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const no = refusalOf(error);
  if (!no) request.log.error({ err: error, operation: request.trace?.operation }, 'a bug');
  const problem = no ? problemOf(no, request.id) : brokenProblem(request.id);
  void reply.code(problem.status).header('cache-control', 'no-store');
  if (no?.retryAfter !== undefined) void reply.header('retry-after', String(no.retryAfter));
  if (no?.code === 'not-signed-in') void reply.header('www-authenticate', 'Bearer');
  if (wantsPage(request)) void sendRefusalPage(reply, problem, no?.retryAfter);
  else
    void reply
      .type(PROBLEM_TYPE)
      .serializer((body) => JSON.stringify(body))
      .send(problem);
}

/** What arrives is not HTTP, too large a head, or too slow. */
function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  socket.end(rawProblem(slow ? 'too-slow' : error.code === 'HPE_HEADER_OVERFLOW' ? 'too-large' : 'bad-input'));
  // Ended from this side only, it would be the caller who decides when it is closed.
  setTimeout(() => socket.destroy(), LIMITS.linger).unref();
}

/** Fastify's own limit ends once the body is read. */
function limitHandlers(http: FastifyInstance, handlerTimeout: number): void {
  http.addHook('preHandler', (request, reply, done) => {
    const timer = setTimeout(() => {
      // It may still come to its end; nobody waits for it any more.
      if (!reply.sent && !reply.raw.headersSent) answerError(refusal('overloaded', { retryAfter: 2 }), request, reply);
    }, handlerTimeout);
    reply.raw.once('close', () => clearTimeout(timer));
    done();
  });
}

/** While the last answers go out, a new request on a socket that is open still is asked to come again, to another process or the next one. */
function refuseWhileClosing(http: FastifyInstance): void {
  let isClosing = false;
  http.addHook('preClose', async () => {
    isClosing = true;
  });
  http.addHook('onRequest', async () => {
    if (isClosing) throw refusal('overloaded', { retryAfter: 2 });
  });
}

const TWO_YEARS = 63_072_000;

const NONE = ["'none'"];

/** What every answer carries (docs/limits.md#every-answer). Pages bring a content policy of their own; nothing else may run or be framed. */
function addHeaders(http: FastifyInstance, { publicUrl, hsts }: Pick<Config, 'hsts' | 'publicUrl'>): void {
  void http.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: NONE, frameAncestors: NONE, baseUri: NONE } },
    strictTransportSecurity: publicUrl.startsWith('https:') &&
      hsts !== 'off' && { maxAge: TWO_YEARS, includeSubDomains: hsts === 'subdomains' },
    // For browsers that know no content policy; every visitor's page would carry their bytes.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    originAgentCluster: false,
  });
  http.addHook('onRequest', async (_request, reply) => {
    void reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
  });
}

/** One line a request: the route's pattern, never the address, which may carry a key. */
function addLog(http: FastifyInstance, log: Logger): void {
  http.addHook('onResponse', async (request, reply) => {
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

export type Encoding = 'br' | 'gzip';

const ACCEPTED: Readonly<Record<Encoding, RegExp>> = { br: acceptedAs('br'), gzip: acceptedAs('gzip') };

/** Returns whether the client accepts an encoding (RFC 9110, 12.5.3). */
export const accepts = ({ headers }: FastifyRequest, encoding: Encoding): boolean =>
  ACCEPTED[encoding].test(String(headers['accept-encoding'] ?? ''));

/** Matches the encoding unless its quality is 0. */
function acceptedAs(encoding: Encoding): RegExp {
  return new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`);
}
