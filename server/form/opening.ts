import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Submission } from '#contract/feedback/feedback.ts';
import { type FormProps, TEST_FIELD, VISIT_FIELD } from '#contract/form/form-page.ts';
import { WORDS } from '#contract/language/all.ts';
import type { Platform } from '../platform/context.ts';
import { createGzipTemplate, type GzipTemplate } from '../platform/http/gzip-template.ts';
import { accepts } from '../platform/http/http.ts';
import { warnSeldom } from '../platform/log/log.ts';
import type { FormDocument, PageVariant } from './document.ts';
import { embedOf, type FormHtml, freshProps, propsOfSubmission, ratingIn, variantOf } from './html.ts';
import { pageLanguage } from './language.ts';
import type { FormReader, PublicForm } from './store.ts';
import type { VisitKeys } from './visit-key.ts';

export interface OpeningOptions {
  readonly platform: Pick<Platform, 'log'>;
  readonly document: FormDocument;
  readonly html: FormHtml;
  readonly forms: FormReader;
  /** Returns the submission with a key while it can be amended. */
  readonly find: (target: PublicForm, key: string) => Promise<{ readonly submission?: Submission }>;
  /** Counts an opening. */
  readonly count: (target: PublicForm) => Promise<void>;
  readonly makeKey: () => string;
  /** Recognizes the keys in links that were mailed. */
  readonly visitKeys: Pick<VisitKeys, 'isValid'>;
}

type OpeningRequest = FastifyRequest<{ Params: { formId: string }; Querystring: Record<string, string | undefined> }>;

/** Data that takes longer than this (ms) shows the skeleton first (docs/rules.md#late-form). */
const SKELETON_AFTER = 250;
/** The shape of a submission's key. */
export const KEY = /^[A-Za-z0-9_-]{22,128}$/;
/** Placeholder for the key in a page prepared for all visitors. No text of a form can contain it. */
const GAP = '\u0000key\u0000';
/** The placeholder as JSON.stringify writes it in the props. */
const ESCAPED_GAP = JSON.stringify(GAP).slice(1, -1);

/** Prepared pages, of about 50 kB each: a form has one for each language, also for frames and for each face in a mail. */
const MOST_PREPARED = 2_000;

/** The data for an address. */
interface LoadedForm {
  readonly target: PublicForm | undefined;
  /** The submission with the key in the address. Undefined for an unknown or expired key, which starts a new visit. */
  readonly existing: { readonly key: string; readonly submission: Submission } | undefined;
}

interface LoggedOpening extends OpeningOptions {
  readonly warnOfCount: (error: unknown) => void;
  readonly warnOfRead: (error: unknown) => void;
}

/** Shows a form: immediately if it is cached, with a skeleton first if its data is late. */
export function createOpening(dependencies: OpeningOptions): (request: OpeningRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const { forms, html, platform } = dependencies;
  const options: LoggedOpening = {
    ...dependencies,
    warnOfCount: warnSeldom(platform.log, 'could not count an opening'),
    warnOfRead: warnSeldom(platform.log, 'could not read a form'),
  };
  const prepared = new LRUCache<string, GzipTemplate>({ max: MOST_PREPARED });
  return async (request, reply) => {
    const target = forms.cached(request.params.formId);
    if (target && request.query['key'] === undefined) return answer(request, reply, { target, existing: undefined });
    const loading = read(options, request);
    if (await isLate(loading, SKELETON_AFTER)) return sendLate(options, { request, reply, loading });
    try {
      return await answer(request, reply, await loading);
    } catch (error) {
      return html.sendTrouble(request, reply, error);
    }
  };

  async function answer(request: OpeningRequest, reply: FastifyReply, data: LoadedForm): Promise<FastifyReply> {
    const { target, existing } = data;
    if (!target || target.closed) return html.sendClosed(request, reply, target);
    countOpening(options, request, data);
    if (existing || isTest(request)) return html.sendPage(request, reply, propsOf(options, request, data));
    return sendFresh(request, reply, target);
  }

  /** Sends the page that nearly every visitor gets, prepared once per form and filled with a new key. */
  function sendFresh(request: OpeningRequest, reply: FastifyReply, target: PublicForm): FastifyReply {
    const template = templateOf(request, target);
    const key = keyIn(options, request) ?? options.makeKey();
    const headed = html.addHeaders(reply, { ...variantOf(request), style: target.style });
    if (!accepts(request, 'gzip')) return headed.send(template.plain(key));
    return headed.header('content-encoding', 'gzip').send(template.fill(key));
  }

  function templateOf(request: OpeningRequest, target: PublicForm): GzipTemplate {
    const { id, data } = target.form;
    const fresh = freshPage(request, target, GAP);
    // All that a page shows. A version never changes.
    const page = JSON.stringify([id, data.version, target.business, target.lookKey, target.privateReplies, data.displayName, fresh]);
    const template = prepared.get(page) ?? prepare(freshProps(target, fresh), { ...variantOf(request), style: target.style });
    prepared.set(page, template);
    return template;
  }

  function prepare(props: FormProps, variant: PageVariant): GzipTemplate {
    return createGzipTemplate(html.page(props, variant).replaceAll(ESCAPED_GAP, GAP), GAP);
  }
}

/** Returns the key in the link of a feedback request, whose faces share one answer. */
function keyIn({ visitKeys }: Pick<OpeningOptions, 'visitKeys'>, { params, query }: OpeningRequest): string | undefined {
  const key = query[VISIT_FIELD];
  return typeof key === 'string' && visitKeys.isValid(params.formId, key) ? key : undefined;
}

async function read({ forms, find }: OpeningOptions, { params, query }: OpeningRequest): Promise<LoadedForm> {
  const target = await forms.byId(params.formId);
  const key = query['key'] ?? '';
  const submission = target && !target.closed && KEY.test(key) ? (await find(target, key)).submission : undefined;
  return { target, existing: submission && { key, submission } };
}

function propsOf({ makeKey, visitKeys }: OpeningOptions, request: OpeningRequest, { target, existing }: LoadedForm): FormProps {
  if (!target) throw new Error('No form to show');
  const test = isTest(request) && { test: true as const };
  if (!existing) return { ...freshProps(target, freshPage(request, target, keyIn({ visitKeys }, request) ?? makeKey())), ...test };
  const props = {
    ...freshProps(target, freshPage(request, target, existing.key)),
    ...propsOfSubmission(target, existing.submission),
    ...test,
  };
  const { screen } = request.query;
  if (screen === 'anew') return { ...props, screen: 'done', notice: 'savedAsNew' };
  return { ...props, screen: screen === 'done' ? 'done' : 'experience' };
}

const freshPage = (request: OpeningRequest, target: PublicForm, submissionKey: string) => ({
  submissionKey,
  language: pageLanguage(request, target),
  embed: embedOf(request),
  rating: ratingIn(request),
});

/**
 * Counts a form that someone opened; not a prefetch, a HEAD request, a test or a return to the form. Mail scanners open links too, so
 * the page's script counts an opening from a mail (form/mail.ts).
 */
function countOpening({ count, warnOfCount }: LoggedOpening, request: OpeningRequest, { target, existing }: LoadedForm): void {
  if (!target || existing || isTest(request) || !isVisit(request) || ratingIn(request) !== undefined) return;
  void count(target).catch(warnOfCount);
}

/** Returns true for a teammate's test, which isn't a visit. */
const isTest = ({ query }: OpeningRequest): boolean => query[TEST_FIELD] === '1';

/** Returns false for a browser's prefetch and for HEAD. */
export const isVisit = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && !String(headers['sec-purpose'] ?? headers['purpose'] ?? '').includes('prefetch');

/* ── Late data ── */

interface LateForm {
  readonly request: OpeningRequest;
  readonly reply: FastifyReply;
  readonly loading: Promise<LoadedForm>;
}

interface LatePage extends Pick<LateForm, 'request' | 'loading'> {
  readonly variant: PageVariant;
}

/** Sends the skeleton immediately, and the content in the same response. The status is already sent, so errors are shown in the page. */
function sendLate(options: LoggedOpening, { request, reply, loading }: LateForm): FastifyReply {
  // The policy is sent before the brand is known.
  const variant = { ...variantOf(request), nonce: randomBytes(16).toString('base64') };
  const chunks = Readable.from(lateChunks(options, { request, loading, variant }));
  const headed = options.html.addHeaders(reply, variant);
  if (!accepts(request, 'gzip')) return headed.send(chunks);
  const compressor = createGzip();
  chunks.on('data', (chunk: string) => {
    compressor.write(chunk);
    compressor.flush();
  });
  chunks.on('end', () => compressor.end());
  return headed.header('content-encoding', 'gzip').send(compressor);
}

async function* lateChunks(options: LoggedOpening, page: LatePage): AsyncGenerator<string> {
  const { document } = options;
  const language = pageLanguage(page.request, undefined);
  yield document.head(WORDS[language].messages.feedback, language, page.variant) + document.skeleton(language);
  yield document.afterSkeleton + (await lateContent(options, page));
}

async function lateContent(options: LoggedOpening, { request, loading, variant }: LatePage): Promise<string> {
  const { html, warnOfRead } = options;
  try {
    const data = await loading;
    if (!data.target || data.target.closed) return html.restClosed(pageLanguage(request, data.target));
    countOpening(options, request, data);
    return html.rest(propsOf(options, request, data), variant);
  } catch (error) {
    warnOfRead(error);
    return html.restTrouble(pageLanguage(request, undefined), request.url);
  }
}

async function isLate(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), ms);
  });
  try {
    return await Promise.race([
      timeout,
      work.then(
        () => false,
        () => false,
      ),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
