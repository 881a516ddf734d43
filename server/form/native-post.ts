import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Refusal, refusal } from '#contract/errors.ts';
import type { Response, Submission } from '#contract/feedback.ts';
import { type Draft, donePath, draftsOf, fieldOfPath, KEY_FIELD, problemsOf, SCRIPT_FIELD } from '#contract/form-page.ts';
import { stepOf } from '#contract/steps.ts';
import { refusalOf } from '../kernel/problem.ts';
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
  readonly makeKey: () => string;
}

export type SaveFeedback = (request: FastifyRequest, sent: SentForm) => Promise<unknown>;

export interface SentForm {
  readonly idempotencyKey: string;
  readonly payload: { readonly data: { readonly formId: string; readonly responses: readonly Draft[] } };
}

type PostRequest = FastifyRequest<{ Params: { formId: string } }>;

const NOT_SAVED = 'We could not save that. Nothing you wrote is lost: please try again in a moment.';

/** Takes the form as a browser posts it by itself, and the early script's rating. */
export function createNativePost({
  html,
  forms,
  save,
  find,
  makeKey,
}: NativePostOptions): (request: PostRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (request, reply) => {
    refuseOtherSites(request);
    const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const target = await forms.byId(request.params.formId).catch((error: unknown) => ({ error }));
    if (target && 'error' in target)
      return wantsJson(request) ? Promise.reject(target.error) : html.sendTrouble(request, reply, target.error);
    const key = KEY.test(fields.get(KEY_FIELD) ?? '') ? (fields.get(KEY_FIELD) ?? '') : makeKey();
    if (!target || target.closed) return refuseClosed(request, reply, target);
    const blocks = stepOf(target.form.data.steps, 'experience').blocks ?? [];
    const read = (name: string) => fields.get(name) ?? undefined;
    let again: Again = { target, key, hasScript: fields.has(SCRIPT_FIELD), left: [], drafts: draftsOf(blocks, read, []) };
    if (wantsJson(request)) return reply.header('cache-control', 'no-store').send(await save(request, sentForm(again)));
    try {
      const left = (await find(target, key))?.data.left ?? [];
      again = { ...again, left, drafts: draftsOf(blocks, read, left) };
      const errors = problemsOf(blocks, again.drafts, left);
      if (Object.keys(errors).length > 0) return await sendAgain(request, reply.code(400), { ...again, errors });
      await save(request, sentForm(again));
      return await sendDone(request, reply, again);
    } catch (error) {
      return refuse(request, reply, { ...again, error });
    }
  };

  /** Where script runs, no address holds the key: the answer is the page itself. */
  async function sendDone(request: PostRequest, reply: FastifyReply, { target, key, hasScript }: Again): Promise<FastifyReply> {
    if (!hasScript) return reply.header('cache-control', 'no-store').redirect(donePath(target.form.id, key), 303);
    const after = await find(target, key);
    const shown = after ? shownOf(target, after) : {};
    return html.send(request, reply, html.page({ ...freshProps(target, key), ...shown, hasScript, screen: 'done' }));
  }

  function refuse(request: PostRequest, reply: FastifyReply, { error, ...again }: Again & { error: unknown }): Promise<FastifyReply> {
    const no = refusalOf(error);
    if (!no) throw error;
    if (no.code === 'form-closed') return refuseClosed(request, reply, again.target);
    if (no.retryAfter !== undefined) void reply.header('retry-after', String(no.retryAfter));
    const errors = errorsOf(no, again.drafts);
    const notice = Object.keys(errors).length > 0 ? undefined : no.status >= 500 || no.status === 429 ? NOT_SAVED : no.message;
    return sendAgain(request, reply.code(no.status), { ...again, errors, notice });
  }

  /** What was typed, with what to fix. */
  function sendAgain(request: PostRequest, reply: FastifyReply, { target, key, drafts, ...shown }: Again & Trouble): Promise<FastifyReply> {
    // Shown as typed: not what the contract would call responses, but of their shape.
    const given = drafts as readonly Response[];
    return html.send(request, reply, html.page({ ...freshProps(target, key), given, ...shown }));
  }

  function refuseClosed(request: PostRequest, reply: FastifyReply, target: PublicForm | undefined): Promise<FastifyReply> {
    if (wantsJson(request)) throw refusal(target ? 'form-closed' : 'not-found');
    return html.sendClosed(request, reply, target);
  }
}

interface Again {
  readonly target: PublicForm;
  readonly key: string;
  readonly drafts: readonly Draft[];
  readonly left: readonly string[];
  readonly hasScript: boolean;
}
interface Trouble {
  readonly errors: Readonly<Record<string, string>>;
  readonly notice?: string | undefined;
}

const sentForm = ({ target, key, drafts }: Again): SentForm => ({
  idempotencyKey: key,
  payload: { data: { formId: target.form.id, responses: drafts } },
});

function errorsOf({ errors }: Refusal, drafts: readonly Draft[]): Record<string, string> {
  return Object.fromEntries(
    errors.flatMap(({ path, message }) => {
      const field = fieldOfPath(path, drafts);
      return field === undefined ? [] : [[field, message]];
    }),
  );
}

/** Browsers say from which site a form was sent; only ours has this one. Clients that say nothing are no browsers that could be misled. */
function refuseOtherSites({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw refusal('not-allowed', 'Please use the form itself.');
}

const wantsJson = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').startsWith('application/json');
