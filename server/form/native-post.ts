import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Refusal, refusal } from '#contract/core/errors.ts';
import { PLACEMENT, USER_ID } from '#contract/core/ids.ts';
import type { Response, Submission } from '#contract/feedback/feedback.ts';
import {
  AT_FIELD,
  type Draft,
  doneAsNewPath,
  donePath,
  draftsOf,
  type FormNotice,
  fieldOfPath,
  formPath,
  KEY_FIELD,
  type Origin,
  problemsOf,
  SAVED_AS_NEW,
  SCRIPT_FIELD,
  TEST_FIELD,
  USER_ID_FIELD,
  VERSION_FIELD,
} from '#contract/form/form-page.ts';
import { stepOf } from '#contract/form/steps.ts';
import { refusalOf } from '../platform/http/problem.ts';
import { senderOf } from '../platform/mailer/sender.ts';
import { type FormHtml, freshProps, propsOfSubmission } from './html.ts';
import { KEY } from './opening.ts';
import type { FormReader, PublicForm } from './store.ts';

export interface NativePostOptions {
  readonly html: FormHtml;
  readonly forms: FormReader;
  /** Calls `feedback.save` without a token. Throws its refusals. */
  readonly save: SaveFeedback;
  /** Returns the submission with a key while it can be amended. */
  readonly find: (target: PublicForm, key: string) => Promise<Submission | undefined>;
  /** Returns true if the submission with a key can no longer be amended. */
  readonly isClosed: (target: PublicForm, key: string) => Promise<boolean>;
  readonly makeKey: () => string;
  /** The installation's address, without a trailing slash. */
  readonly publicUrl: string;
}

type SaveFeedback = (request: FastifyRequest, sent: SentForm) => Promise<unknown>;

interface SentForm {
  readonly idempotencyKey: string;
  readonly payload: {
    readonly data: Origin & {
      readonly formId: string;
      readonly formVersion?: number | undefined;
      readonly responses: readonly Draft[];
      readonly url?: string;
      readonly userId?: string | undefined;
    };
  };
}

type PostRequest = FastifyRequest<{ Params: { formId: string }; Querystring: Record<string, string | undefined> }>;

const NOT_SAVED = 'We couldn’t save that. Nothing you wrote is lost. Please try attempt in a moment.';

/** Accepts the form as posted by a browser without JavaScript, and the early script's rating. */
export function createNativePost({
  html,
  forms,
  save,
  find,
  isClosed,
  makeKey,
  publicUrl,
}: NativePostOptions): (request: PostRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (request, reply) => {
    if (senderOf(request, publicUrl) === 'other') throw refusal('not-allowed', 'Please use the form itself.');
    const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const target = await forms.byId(request.params.formId).catch((error: unknown) => ({ error }));
    if (target && 'error' in target)
      return wantsJson(request) ? Promise.reject(target.error) : html.sendTrouble(request, reply, target.error);
    const key = KEY.test(fields.get(KEY_FIELD) ?? '') ? (fields.get(KEY_FIELD) ?? '') : makeKey();
    if (!target || target.closed) return refuseClosed(request, reply, target);
    const blocks = stepOf(target.form.data.steps, 'experience').blocks ?? [];
    const read = (name: string) => fields.get(name) ?? undefined;
    const valid = (name: string, shape: RegExp) => firstMatch(shape, fields.get(name), request.query[name]);
    const userId = valid(USER_ID_FIELD, USER_ID);
    const formVersion = versionIn(fields.get(VERSION_FIELD));
    const origin = { at: valid(AT_FIELD, PLACEMENT), ...(valid(TEST_FIELD, /^1$/) && { test: true as const }) };
    let attempt: PostAttempt = {
      target,
      key,
      userId,
      formVersion,
      ...origin,
      hasScript: fields.has(SCRIPT_FIELD),
      left: [],
      drafts: draftsOf(blocks, read, []),
    };
    if (wantsJson(request)) return reply.header('cache-control', 'no-store').send(await save(request, sentForm(attempt)));
    try {
      const existing = await find(target, key);
      const left = existing?.data.left ?? [];
      // An answer that can no longer be amended is stored as a new one.
      const isNew = !existing && (await isClosed(target, key));
      attempt = { ...attempt, left, drafts: draftsOf(blocks, read, left), ...(isNew && { key: makeKey(), notice: SAVED_AS_NEW }) };
      const errors = problemsOf(blocks, attempt.drafts, left);
      if (Object.keys(errors).length > 0) return await sendForm(request, reply.code(400), { ...attempt, errors });
      await save(request, sentForm(attempt));
      return await sendDone(request, reply, attempt);
    } catch (error) {
      return refuse(request, reply, { ...attempt, error });
    }
  };

  function sentForm({ target, key, drafts, userId, formVersion, at, test }: PostAttempt): SentForm {
    const url = publicUrl + formPath(target.form.id);
    return {
      idempotencyKey: key,
      payload: { data: { formId: target.form.id, responses: drafts, url, formVersion, userId, at, test } },
    };
  }

  /** With JavaScript, the response is the page itself, so that no address contains the key. */
  async function sendDone(
    request: PostRequest,
    reply: FastifyReply,
    { target, key, hasScript, notice, test }: PostAttempt,
  ): Promise<FastifyReply> {
    const path = notice ? doneAsNewPath : donePath;
    if (!hasScript) return reply.header('cache-control', 'no-store').redirect(path(target.form.id, key), 303);
    const submission = await find(target, key);
    const saved = submission ? propsOfSubmission(target, submission) : {};
    return html.send(request, reply, html.page({ ...freshProps(target, key), ...saved, hasScript, notice, test, screen: 'done' }));
  }

  function refuse(
    request: PostRequest,
    reply: FastifyReply,
    { error, ...attempt }: PostAttempt & { error: unknown },
  ): Promise<FastifyReply> {
    const no = refusalOf(error);
    if (!no) throw error;
    if (no.code === 'form-closed') return refuseClosed(request, reply, attempt.target);
    if (no.retryAfter !== undefined) void reply.header('retry-after', String(no.retryAfter));
    const errors = errorsOf(no, attempt.drafts);
    const text = no.status >= 500 || no.status === 429 ? NOT_SAVED : no.message;
    const notice: FormNotice | undefined = Object.keys(errors).length > 0 ? undefined : { text, tone: 'wait' };
    return sendForm(request, reply.code(no.status), { ...attempt, errors, notice });
  }

  /** Sends the form with the visitor's input and the errors. */
  function sendForm(
    request: PostRequest,
    reply: FastifyReply,
    { target, key, drafts, userId: _userId, formVersion: _formVersion, at: _at, ...shown }: PostAttempt & Trouble,
  ): Promise<FastifyReply> {
    // Drafts have the shape of responses, but may be invalid.
    const given = drafts as readonly Response[];
    return html.send(request, reply, html.page({ ...freshProps(target, key), given, ...shown }));
  }

  function refuseClosed(request: PostRequest, reply: FastifyReply, target: PublicForm | undefined): Promise<FastifyReply> {
    if (wantsJson(request)) throw refusal(target ? 'form-closed' : 'not-found');
    return html.sendClosed(request, reply, target);
  }
}

interface PostAttempt extends Origin {
  readonly target: PublicForm;
  readonly key: string;
  readonly drafts: readonly Draft[];
  readonly left: readonly string[];
  readonly hasScript: boolean;
  readonly userId: string | undefined;
  /** The version that the page showed. */
  readonly formVersion: number | undefined;
  /** Shown on the last page. */
  readonly notice?: FormNotice | undefined;
}
interface Trouble {
  readonly errors: Readonly<Record<string, string>>;
}

/** Returns undefined for pages from before the version was included. */
const versionIn = (value: string | null): number | undefined =>
  value !== null && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined;

/** Returns the first value of this shape. Ignores others, so that a wrong link loses no feedback. */
const firstMatch = (shape: RegExp, ...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && shape.test(value));

function errorsOf({ errors }: Refusal, drafts: readonly Draft[]): Record<string, string> {
  return Object.fromEntries(
    errors.flatMap(({ path, message }) => {
      const field = fieldOfPath(path, drafts);
      return field === undefined ? [] : [[field, message]];
    }),
  );
}

const wantsJson = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').startsWith('application/json');
