import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Submission } from '#contract/feedback/feedback.ts';
import { type FormProps, SAVED_AS_NEW, TEST_FIELD } from '#contract/form/form-page.ts';
import type { Platform } from '../platform/context.ts';
import { createGzipTemplate, type GzipTemplate } from '../platform/http/gzip-template.ts';
import { accepts } from '../platform/http/http.ts';
import { warnSeldom } from '../platform/log/log.ts';
import type { FormDocument } from './document.ts';
import { type FormHtml, freshProps, shownOf } from './html.ts';
import type { FormReader, PublicForm } from './store.ts';

export interface OpeningOptions {
  readonly platform: Pick<Platform, 'log'>;
  readonly document: FormDocument;
  readonly html: FormHtml;
  readonly forms: FormReader;
  /** What a key named within the time in which it can be amended. */
  readonly find: (target: PublicForm, key: string) => Promise<Submission | undefined>;
  /** Counts an opening. */
  readonly count: (target: PublicForm) => Promise<void>;
  readonly makeKey: () => string;
}

export type OpeningRequest = FastifyRequest<{ Params: { formId: string }; Querystring: Record<string, string | undefined> }>;

/** Data that takes longer than this (ms) shows the skeleton first (docs/rules.md#late-form). */
const SKELETON_AFTER = 250;
/** What a page can name a submission by. */
export const KEY = /^[A-Za-z0-9_-]{22,128}$/;
/** Stands for the key while a page is prepared for all visitors: no text of a form can hold it. */
const GAP = '\u0000key\u0000';
/** As JSON.stringify writes the gap inside the props. */
const ESCAPED_GAP = JSON.stringify(GAP).slice(1, -1);

/** What there is to show for an address. */
interface Reading {
  readonly target: PublicForm | undefined;
  /** What the address's key names. A key that names nothing (any more) is none: the page is a new visit's. */
  readonly known: { readonly key: string; readonly submission: Submission } | undefined;
}

interface WatchedOpening extends OpeningOptions {
  readonly warnOfCount: (error: unknown) => void;
  readonly warnOfRead: (error: unknown) => void;
}

/** Shows a form: at once where it is known, the skeleton first where its data takes its time. */
export function createOpening(given: OpeningOptions): (request: OpeningRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const { forms, html, platform } = given;
  const options: WatchedOpening = {
    ...given,
    warnOfCount: warnSeldom(platform.log, 'an opening was not counted'),
    warnOfRead: warnSeldom(platform.log, 'a form could not be read'),
  };
  const prepared = new WeakMap<PublicForm, GzipTemplate>();
  return async (request, reply) => {
    const target = forms.known(request.params.formId);
    if (target && request.query['key'] === undefined) return answer(request, reply, { target, known: undefined });
    const reading = read(options, request);
    if (await isLate(reading, SKELETON_AFTER)) return sendLate(options, { request, reply, reading });
    try {
      return await answer(request, reply, await reading);
    } catch (error) {
      return html.sendTrouble(request, reply, error);
    }
  };

  async function answer(request: OpeningRequest, reply: FastifyReply, reading: Reading): Promise<FastifyReply> {
    const { target, known } = reading;
    if (!target || target.closed) return html.sendClosed(request, reply, target);
    countOpening(options, request, reading);
    if (known || isTest(request)) return html.send(request, reply, html.page(propsOf(options, request, reading)));
    return sendFresh(request, reply, target);
  }

  /** The page that nearly every visitor gets: prepared once a form, with a key of its own each time. */
  function sendFresh(request: OpeningRequest, reply: FastifyReply, target: PublicForm): FastifyReply {
    const template = prepared.get(target) ?? createGzipTemplate(html.page(freshProps(target, GAP)).replaceAll(ESCAPED_GAP, GAP), GAP);
    prepared.set(target, template);
    const key = options.makeKey();
    if (!accepts(request, 'gzip')) return html.addHeaders(reply).send(template.plain(key));
    return html.addHeaders(reply).header('content-encoding', 'gzip').send(template.fill(key));
  }
}

async function read({ forms, find }: OpeningOptions, { params, query }: OpeningRequest): Promise<Reading> {
  const target = await forms.byId(params.formId);
  const key = query['key'] ?? '';
  const submission = target && !target.closed && KEY.test(key) ? await find(target, key) : undefined;
  return { target, known: submission && { key, submission } };
}

function propsOf({ makeKey }: OpeningOptions, request: OpeningRequest, { target, known }: Reading): FormProps {
  if (!target) throw new Error('There is no form to show');
  const tested = isTest(request) && { test: true as const };
  if (!known) return { ...freshProps(target, makeKey()), ...tested };
  const shown = { ...freshProps(target, known.key), ...shownOf(target, known.submission), ...tested };
  const { screen } = request.query;
  if (screen === 'anew') return { ...shown, screen: 'done', notice: SAVED_AS_NEW };
  return { ...shown, screen: screen === 'done' ? 'done' : 'experience' };
}

/** Counts a form that was opened by somebody, not fetched ahead, asked about, or shown again. */
function countOpening({ count, warnOfCount }: WatchedOpening, request: OpeningRequest, { target, known }: Reading): void {
  if (!target || known || isTest(request) || !isWanted(request)) return;
  void count(target).catch(warnOfCount);
}

/** Whether somebody of the team tries the form, which is no visit. */
const isTest = ({ query }: OpeningRequest): boolean => query[TEST_FIELD] === '1';

/** Whether somebody asked for the page, not a browser that fetches ahead. */
export const isWanted = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && !String(headers['sec-purpose'] ?? headers['purpose'] ?? '').includes('prefetch');

/* ── Data that takes its time ── */

interface Late {
  readonly request: OpeningRequest;
  readonly reply: FastifyReply;
  readonly reading: Promise<Reading>;
}

/** The skeleton at once, the content in the same response. The status is on its way by then, so the page itself tells the rest. */
function sendLate(options: WatchedOpening, { request, reply, reading }: Late): FastifyReply {
  const chunks = Readable.from(lateChunks(options, request, reading));
  if (!accepts(request, 'gzip')) return options.html.addHeaders(reply).send(chunks);
  const compressor = createGzip();
  chunks.on('data', (chunk: string) => {
    compressor.write(chunk);
    compressor.flush();
  });
  chunks.on('end', () => compressor.end());
  return options.html.addHeaders(reply).header('content-encoding', 'gzip').send(compressor);
}

async function* lateChunks(options: WatchedOpening, request: OpeningRequest, reading: Promise<Reading>): AsyncGenerator<string> {
  const { document } = options;
  yield `${document.head('Feedback')}${document.skeleton}`;
  yield document.afterSkeleton + (await lateContent(options, request, reading));
}

async function lateContent(options: WatchedOpening, request: OpeningRequest, reading: Promise<Reading>): Promise<string> {
  const { html, warnOfRead } = options;
  try {
    const arrived = await reading;
    if (!arrived.target || arrived.target.closed) return html.restClosed();
    countOpening(options, request, arrived);
    return html.rest(propsOf(options, request, arrived));
  } catch (error) {
    warnOfRead(error);
    return html.restTrouble(request.url);
  }
}

async function isLate(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), ms);
  });
  try {
    return await Promise.race([
      late,
      work.then(
        () => false,
        () => false,
      ),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
