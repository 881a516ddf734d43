import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Refusal, refusal } from '#contract/errors.ts';
import type { Response, Submission } from '#contract/feedback.ts';
import { type Draft, donePath, draftsOf, type FormProps, fieldOfPath, KEY_FIELD, problemsOf } from '#contract/form-page.ts';
import { randomAlphanumeric } from '#contract/ids.ts';
import { REVIEW_SERVICES } from '#contract/review.ts';
import { blockOf, servicesOf, stepOf } from '#contract/steps.ts';
import type { Kernel } from '../kernel/context.ts';
import { createGzipTemplate, type GzipTemplate } from '../kernel/gzip-template.ts';
import { FORM_BODY } from '../kernel/http.ts';
import { refusalOf } from '../kernel/problem.ts';
import type { FormDocument } from './document.ts';
import type { FormReader, PublicForm } from './store.ts';

interface FormPageOptions {
  readonly kernel: Pick<Kernel, 'log' | 'random'>;
  readonly document: FormDocument;
  readonly forms: FormReader;
  /** What a key named within the time in which it can be amended. */
  readonly find: (target: PublicForm, key: string) => Promise<Submission | undefined>;
  /** `feedback.save`, as anybody may call it. Throws its refusals. */
  readonly save: (request: FastifyRequest, sent: SentForm) => Promise<unknown>;
  /** Counts an opening. */
  readonly count: (target: PublicForm) => Promise<void>;
}

export interface SentForm {
  readonly idempotencyKey: string;
  readonly payload: { readonly data: { readonly formId: string; readonly responses: readonly Draft[] } };
}

type FormRequest = FastifyRequest<{ Params: { formId: string; service: string }; Querystring: Record<string, string | undefined> }>;

/** Data that takes longer than this shows the skeleton first (SPEC §2). */
const SKELETON_AFTER = 250;
const KEY_LENGTH = 24;
const KEY = /^[A-Za-z0-9_-]{22,128}$/;
/** Stands for the key while a page is prepared for all visitors: no text of a form can hold it. */
const GAP = '\u0000key\u0000';
const CLOSED = 'This form is no longer open.';
const NOT_SAVED = 'We could not save that. Nothing you wrote is lost: please try again in a moment.';
const HTML = 'text/html; charset=utf-8';

/** What there is to show for an address. */
interface Reading {
  readonly target: PublicForm | undefined;
  readonly key: string | undefined;
  readonly given: readonly Response[];
}

/** The public form's addresses: `/feedback/{formId}`, its native post, and the way out to a review service. */
export function addFormPage(http: FastifyInstance, { kernel, document, forms, find, save, count }: FormPageOptions): void {
  const prepared = new WeakMap<PublicForm, GzipTemplate>();

  void http.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
    );
    scope.get('/feedback/:formId', (request: FormRequest, reply) => open(request, reply));
    scope.post('/feedback/:formId', { bodyLimit: FORM_BODY }, (request: FormRequest, reply) => receive(request, reply));
    scope.get('/feedback/:formId/review/:service', (request: FormRequest, reply) => leave(request, reply));
    scope.get('/feedback/*', (request, reply) => sendHtml(request, reply.code(404), document.sentence(CLOSED, '')));
  });

  async function open(request: FormRequest, reply: FastifyReply): Promise<FastifyReply> {
    const target = forms.known(request.params.formId);
    if (target && request.query['key'] === undefined) return answer(request, reply, { target, key: undefined, given: [] });
    const reading = read(request);
    if (await isLate(reading, SKELETON_AFTER)) return sendLate(request, reply, reading);
    try {
      return await answer(request, reply, await reading);
    } catch (error) {
      return sendTrouble(request, reply, error);
    }
  }

  async function read({ params, query }: FormRequest): Promise<Reading> {
    const target = await forms.byId(params.formId);
    const key = KEY.test(query['key'] ?? '') ? query['key'] : undefined;
    const found = target && !target.closed && key ? await find(target, key) : undefined;
    return { target, key, given: found?.data.responses ?? [] };
  }

  async function answer(request: FormRequest, reply: FastifyReply, reading: Reading): Promise<FastifyReply> {
    const { target, key } = reading;
    if (!target || target.closed) return sendHtml(request, reply.code(target ? 410 : 404), document.sentence(CLOSED, ''));
    if (isOpening(request, key))
      void count(target).catch((error: unknown) => kernel.log.warn({ err: error }, 'an opening was not counted'));
    if (key === undefined) return sendFresh(request, reply, target);
    return sendHtml(request, reply, pageOf(propsOf(request, reading)));
  }

  /** The page that nearly every visitor gets: prepared once a form, with a key of its own each time. */
  function sendFresh(request: FormRequest, reply: FastifyReply, target: PublicForm): FastifyReply {
    const template = prepared.get(target) ?? createGzipTemplate(pageOf(freshProps(target, GAP)).replaceAll(escapedGap, GAP), GAP);
    prepared.set(target, template);
    const key = newKey();
    if (!acceptsGzip(request)) return pageHeaders(reply).send(template.plain(key));
    return pageHeaders(reply).header('content-encoding', 'gzip').send(template.fill(key));
  }

  function propsOf({ query }: FormRequest, { target, key, given }: Reading): FormProps {
    if (!target) throw new Error('There is no form to show');
    const isDone = query['screen'] === 'done' && given.length > 0;
    return { ...freshProps(target, key ?? newKey()), given, screen: isDone ? 'done' : 'experience' };
  }

  const pageOf = (props: FormProps): string => `${document.head(titleOf(props))}${document.bundle.renderForm(props)}${document.tail}`;

  /** The skeleton at once, the content in the same response. The status is on its way by then, so the page itself tells the rest. */
  function sendLate(request: FormRequest, reply: FastifyReply, reading: Promise<Reading>): FastifyReply {
    const compressor = acceptsGzip(request) ? createGzip() : undefined;
    const chunks = Readable.from(lateChunks(request, reading));
    if (!compressor) return pageHeaders(reply).send(chunks);
    chunks.on('data', (chunk: string) => {
      compressor.write(chunk);
      compressor.flush();
    });
    chunks.on('end', () => compressor.end());
    return pageHeaders(reply).header('content-encoding', 'gzip').send(compressor);
  }

  async function* lateChunks(request: FormRequest, reading: Promise<Reading>): AsyncGenerator<string> {
    yield `${document.head('Feedback')}${document.skeleton}`;
    yield document.afterSkeleton + (await lateContent(request, reading));
  }

  async function lateContent(request: FormRequest, reading: Promise<Reading>): Promise<string> {
    try {
      const arrived = await reading;
      if (!arrived.target || arrived.target.closed) return document.plainSentence(CLOSED, '');
      if (isOpening(request, arrived.key)) void count(arrived.target).catch(() => undefined);
      return `${document.bundle.renderForm(propsOf(request, arrived))}${document.tail}`;
    } catch (error) {
      kernel.log.warn({ err: error }, 'a form could not be read');
      return document.plainSentence(TROUBLE, TROUBLE_MORE, request.url);
    }
  }

  async function receive(request: FormRequest, reply: FastifyReply): Promise<FastifyReply> {
    const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const target = await forms.byId(request.params.formId).catch((error: unknown) => ({ error }));
    if (target && 'error' in target) return wantsJson(request) ? Promise.reject(target.error) : sendTrouble(request, reply, target.error);
    const key = KEY.test(fields.get(KEY_FIELD) ?? '') ? (fields.get(KEY_FIELD) ?? '') : newKey();
    if (!target || target.closed) return refuseClosed(request, reply, target);
    const blocks = stepOf(target.form.data.steps, 'experience').blocks ?? [];
    const drafts = draftsOf(blocks, (name) => fields.get(name) ?? undefined);
    const sent: SentForm = { idempotencyKey: key, payload: { data: { formId: target.form.id, responses: drafts } } };
    if (wantsJson(request)) return reply.header('cache-control', 'no-store').send(await save(request, sent));
    const problems = problemsOf(blocks, drafts);
    if (Object.keys(problems).length > 0) return sendAgain(request, reply.code(400), { target, key, drafts, errors: problems });
    try {
      await save(request, sent);
      return reply.header('cache-control', 'no-store').redirect(donePath(target.form.id, key), 303);
    } catch (error) {
      return refuse(request, reply, { target, key, drafts, error });
    }
  }

  function refuse(request: FormRequest, reply: FastifyReply, { error, ...again }: Again & { error: unknown }): Promise<FastifyReply> {
    const no = refusalOf(error);
    if (!no) throw error;
    if (no.code === 'form-closed') return refuseClosed(request, reply, again.target);
    if (no.retryAfter !== undefined) void reply.header('retry-after', String(no.retryAfter));
    const errors = errorsOf(no, again.drafts);
    const notice = Object.keys(errors).length > 0 ? undefined : no.status >= 500 || no.status === 429 ? NOT_SAVED : no.message;
    return sendAgain(request, reply.code(no.status), { ...again, errors, notice });
  }

  /** What was typed, with what to fix. */
  function sendAgain(
    request: FormRequest,
    reply: FastifyReply,
    { target, key, drafts, errors, notice }: Again & Trouble,
  ): Promise<FastifyReply> {
    // Shown as typed: not what the contract would call responses, but of their shape.
    const given = drafts as readonly Response[];
    return sendHtml(request, reply, pageOf({ ...freshProps(target, key), given, errors, notice }));
  }

  function refuseClosed(request: FormRequest, reply: FastifyReply, target: PublicForm | undefined): Promise<FastifyReply> {
    if (wantsJson(request)) throw refusal(target ? 'form-closed' : 'not-found');
    return sendHtml(request, reply.code(target ? 410 : 404), document.sentence(CLOSED, ''));
  }

  /** Opening a review service counts as `converted`; being unable to count keeps nobody from leaving. */
  async function leave(request: FormRequest, reply: FastifyReply): Promise<FastifyReply> {
    const target = await forms.byId(request.params.formId);
    const name = REVIEW_SERVICES.find((each) => each === request.params.service);
    const service = target && !target.closed ? servicesOf(target.form.data.steps).find((each) => each.name === name) : undefined;
    if (!target || !service) return sendHtml(request, reply.code(404), document.sentence(CLOSED, ''));
    const block = blockOf(stepOf(target.form.data.steps, 'spread the word'), 'ExternalReview');
    const key = request.query['key'] ?? '';
    if (block && KEY.test(key) && isWanted(request)) {
      const responses = [{ uuid: block.uuid, block: block.blockType, response: { service: service.name } }];
      await save(request, { idempotencyKey: key, payload: { data: { formId: target.form.id, responses } } }).catch((error: unknown) => {
        if (!refusalOf(error)) kernel.log.error({ err: error }, 'an opened review was not counted');
      });
    }
    return reply.header('cache-control', 'no-store').redirect(service.url, 303);
  }

  /** The database is away or slow to answer: the page says so and offers to try again. */
  function sendTrouble(request: FormRequest, reply: FastifyReply, error: unknown): Promise<FastifyReply> {
    const no = refusalOf(error);
    if (!no) throw error;
    if (no.retryAfter !== undefined) void reply.header('retry-after', String(no.retryAfter));
    return sendHtml(request, reply.code(no.status), document.sentence(TROUBLE, TROUBLE_MORE, request.url));
  }

  async function sendHtml(request: FastifyRequest, reply: FastifyReply, html: string): Promise<FastifyReply> {
    if (!acceptsGzip(request)) return pageHeaders(reply).send(html);
    return pageHeaders(reply)
      .header('content-encoding', 'gzip')
      .send(await promisify(gzip)(html));
  }

  /** Not `no-store`: going back must show the same page with the same key, not a new one that would save twice. */
  function pageHeaders(reply: FastifyReply): FastifyReply {
    return (
      reply
        .type(HTML)
        .header('content-security-policy', document.contentSecurityPolicy)
        .header('cache-control', 'private, no-cache')
        // Isolation makes the browser change processes before it paints, 40 ms on a slow phone; nobody is signed in here.
        .header('cross-origin-opener-policy', 'unsafe-none')
        .header('vary', 'accept-encoding')
    );
  }

  function newKey(): string {
    return randomAlphanumeric(KEY_LENGTH, kernel.random);
  }
}

interface Again {
  readonly target: PublicForm;
  readonly key: string;
  readonly drafts: readonly Draft[];
}
interface Trouble {
  readonly errors: Readonly<Record<string, string>>;
  readonly notice?: string | undefined;
}

const TROUBLE = 'We can’t show this form right now';
const TROUBLE_MORE = 'Please try again in a moment.';

/** As JSON.stringify writes the gap inside the props. */
const escapedGap = JSON.stringify(GAP).slice(1, -1);

const freshProps = ({ form }: PublicForm, submissionKey: string): FormProps => ({
  formId: form.id,
  submissionKey,
  place: form.data.displayName,
  steps: form.data.steps,
  inviteToReview: form.data.inviteToReview,
  screen: 'experience',
  given: [],
  errors: {},
});

const titleOf = ({ steps, place, screen }: FormProps): string =>
  `${screen === 'done' ? 'Thank you' : stepOf(steps, 'experience').title} · ${place}`;

function errorsOf({ errors }: Refusal, drafts: readonly Draft[]): Record<string, string> {
  return Object.fromEntries(
    errors.flatMap(({ path, message }) => {
      const field = fieldOfPath(path, drafts);
      return field === undefined ? [] : [[field, message]];
    }),
  );
}

/** A form that was opened by somebody, not fetched ahead, asked about, or shown again. */
const isOpening = (request: FastifyRequest, key: string | undefined): boolean => key === undefined && isWanted(request);

const isWanted = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && !String(headers['sec-purpose'] ?? headers['purpose'] ?? '').includes('prefetch');

const wantsJson = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').startsWith('application/json');

const acceptsGzip = ({ headers }: FastifyRequest): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(String(headers['accept-encoding'] ?? ''));

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
