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
import { type FormHtml, freshProps, shownOf } from './html.ts';
import { KEY } from './opening.ts';
import type { FormReader, PublicForm } from './store.ts';

export interface NativePostOptions {
  readonly html: FormHtml;
  readonly forms: FormReader;
  /** `feedback.save`, as anybody may call it. Throws its refusals. */
  readonly save: SaveFeedback;
  /** What a key names within the time in which it can be amended. */
  readonly find: (target: PublicForm, key: string) => Promise<Submission | undefined>;
  /** Whether a key names a submission that can no longer be amended. */
  readonly isOver: (target: PublicForm, key: string) => Promise<boolean>;
  readonly makeKey: () => string;
  /** How people reach this installation, without a slash at the end. */
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

const NOT_SAVED = 'We couldn’t save that. Nothing you wrote is lost. Please try again in a moment.';

/** Takes the form as a browser posts it by itself, and the early script's rating. */
export function createNativePost({
  html,
  forms,
  save,
  find,
  isOver,
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
    const said = (name: string, shape: RegExp) => fitting(shape, fields.get(name), request.query[name]);
    const userId = said(USER_ID_FIELD, USER_ID);
    const formVersion = versionIn(fields.get(VERSION_FIELD));
    const origin = { at: said(AT_FIELD, PLACEMENT), ...(said(TEST_FIELD, /^1$/) && { test: true as const }) };
    let again: Again = {
      target,
      key,
      userId,
      formVersion,
      ...origin,
      hasScript: fields.has(SCRIPT_FIELD),
      left: [],
      drafts: draftsOf(blocks, read, []),
    };
    if (wantsJson(request)) return reply.header('cache-control', 'no-store').send(await save(request, sentForm(again)));
    try {
      const known = await find(target, key);
      const left = known?.data.left ?? [];
      // What comes too late for one answer is another of its own.
      const isAnew = !known && (await isOver(target, key));
      again = { ...again, left, drafts: draftsOf(blocks, read, left), ...(isAnew && { key: makeKey(), notice: SAVED_AS_NEW }) };
      const errors = problemsOf(blocks, again.drafts, left);
      if (Object.keys(errors).length > 0) return await sendAgain(request, reply.code(400), { ...again, errors });
      await save(request, sentForm(again));
      return await sendDone(request, reply, again);
    } catch (error) {
      return refuse(request, reply, { ...again, error });
    }
  };

  function sentForm({ target, key, drafts, userId, formVersion, at, test }: Again): SentForm {
    const url = publicUrl + formPath(target.form.id);
    return {
      idempotencyKey: key,
      payload: { data: { formId: target.form.id, responses: drafts, url, formVersion, userId, at, test } },
    };
  }

  /** Where script runs, no address holds the key: the answer is the page itself. */
  async function sendDone(
    request: PostRequest,
    reply: FastifyReply,
    { target, key, hasScript, notice, test }: Again,
  ): Promise<FastifyReply> {
    const path = notice ? doneAsNewPath : donePath;
    if (!hasScript) return reply.header('cache-control', 'no-store').redirect(path(target.form.id, key), 303);
    const after = await find(target, key);
    const shown = after ? shownOf(target, after) : {};
    return html.send(request, reply, html.page({ ...freshProps(target, key), ...shown, hasScript, notice, test, screen: 'done' }));
  }

  function refuse(request: PostRequest, reply: FastifyReply, { error, ...again }: Again & { error: unknown }): Promise<FastifyReply> {
    const no = refusalOf(error);
    if (!no) throw error;
    if (no.code === 'form-closed') return refuseClosed(request, reply, again.target);
    if (no.retryAfter !== undefined) void reply.header('retry-after', String(no.retryAfter));
    const errors = errorsOf(no, again.drafts);
    const text = no.status >= 500 || no.status === 429 ? NOT_SAVED : no.message;
    const notice: FormNotice | undefined = Object.keys(errors).length > 0 ? undefined : { text, tone: 'wait' };
    return sendAgain(request, reply.code(no.status), { ...again, errors, notice });
  }

  /** What was typed, with what to fix. */
  function sendAgain(
    request: PostRequest,
    reply: FastifyReply,
    { target, key, drafts, userId: _userId, formVersion: _formVersion, at: _at, ...shown }: Again & Trouble,
  ): Promise<FastifyReply> {
    // Shown as typed: not what the contract would call responses, but of their shape.
    const given = drafts as readonly Response[];
    return html.send(request, reply, html.page({ ...freshProps(target, key), given, ...shown }));
  }

  function refuseClosed(request: PostRequest, reply: FastifyReply, target: PublicForm | undefined): Promise<FastifyReply> {
    if (wantsJson(request)) throw refusal(target ? 'form-closed' : 'not-found');
    return html.sendClosed(request, reply, target);
  }
}

interface Again extends Origin {
  readonly target: PublicForm;
  readonly key: string;
  readonly drafts: readonly Draft[];
  readonly left: readonly string[];
  readonly hasScript: boolean;
  readonly userId: string | undefined;
  /** The version that the page showed. */
  readonly formVersion: number | undefined;
  /** Said on the last page. */
  readonly notice?: FormNotice | undefined;
}
interface Trouble {
  readonly errors: Readonly<Record<string, string>>;
}

/** Pages that were made before they named their version have none. */
const versionIn = (value: string | null): number | undefined =>
  value !== null && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined;

/** The first that a link may say of this shape; anything else is left out, so that a wrong link loses no feedback. */
const fitting = (shape: RegExp, ...values: unknown[]): string | undefined =>
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
