import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Refusal, refusal } from '#contract/core/errors.ts';
import type { Response, Submission } from '#contract/feedback/feedback.ts';
import { doneAsNewPath, donePath, fieldOfPath, type NoticeName, problemsOf } from '#contract/form/form-page.ts';
import { WORDS } from '#contract/language/all.ts';
import type { PageWords } from '#contract/language/words.ts';
import { refusalOf } from '../platform/http/problem.ts';
import { senderOf } from '../platform/mailer/sender.ts';
import { embedOf, type FormHtml, freshProps, propsOfSubmission } from './html.ts';
import { chosenLanguage } from './language.ts';
import { blocksOf, draftsIn, type PostedForm, type PostRequest, postedForm, type SentForm, sentForm } from './posted-form.ts';
import type { FormReader, PublicForm } from './store.ts';

export interface NativePostOptions {
  readonly html: FormHtml;
  readonly forms: FormReader;
  /** Calls `feedback.save` without a token. Throws its refusals. */
  readonly save: SaveFeedback;
  /** Returns the submission with a key while it can be amended, and whether it no longer can be. */
  readonly find: (target: PublicForm, key: string) => Promise<{ readonly submission?: Submission; readonly isClosed?: true }>;
  readonly makeKey: () => string;
  /** The installation's address, without a trailing slash. */
  readonly publicUrl: string;
}

type SaveFeedback = (request: FastifyRequest, sent: SentForm) => Promise<unknown>;

/** A post and its reply. */
interface PostExchange extends NativePostOptions {
  readonly request: PostRequest;
  readonly reply: FastifyReply;
}

/** Accepts the form as posted by a browser without JavaScript, and the early script's rating. */
export function createNativePost(options: NativePostOptions): (request: PostRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const { html, forms, save, makeKey, publicUrl } = options;
  return async (request, reply) => {
    if (senderOf(request, publicUrl) === 'other') throw refusal('not-allowed', 'Please use the form itself.');
    const exchange = { ...options, request, reply };
    const target = await forms.byId(request.params.formId).catch((error: unknown) => ({ error }));
    if (target && 'error' in target)
      return wantsJson(request) ? Promise.reject(target.error) : html.sendTrouble(request, reply, target.error);
    if (!target || target.closed) return refuseClosed(exchange, target);
    const posted = postedForm(request, target, makeKey);
    if (!wantsJson(request)) return saveAndShow(exchange, posted);
    return reply.header('cache-control', 'no-store').send(await save(request, sentForm(posted, publicUrl)));
  };
}

/** Saves the form and sends the last page, or sends the form again with what is wrong. */
async function saveAndShow(exchange: PostExchange, first: PostedForm): Promise<FastifyReply> {
  const { request, save, publicUrl } = exchange;
  let posted = first;
  try {
    posted = await withExisting(exchange, first);
    const errors = problemsOf(blocksOf(posted.target), posted.drafts, { ...posted, words: wordsOf(posted) });
    if (Object.keys(errors).length > 0) return await sendForm(exchange, posted, { status: 400, errors });
    await save(request, sentForm(posted, publicUrl));
    return await sendDone(exchange, posted);
  } catch (error) {
    return refuse(exchange, posted, error);
  }
}

/** Completes a post with the stored submission, if any. An answer that can no longer be amended becomes a new one. */
async function withExisting({ find, makeKey }: PostExchange, posted: PostedForm): Promise<PostedForm> {
  const { target, key } = posted;
  const { submission, isClosed } = await find(target, key);
  const left = submission?.data.left ?? [];
  return { ...posted, left, drafts: draftsIn(posted, left), ...(isClosed && { key: makeKey(), notice: 'savedAsNew' as const }) };
}

/** With JavaScript, the response is the page itself, so that no address contains the key. */
async function sendDone({ request, reply, html, find }: PostExchange, posted: PostedForm): Promise<FastifyReply> {
  const { target, key: submissionKey, language, hasScript, notice, test } = posted;
  const path = notice ? doneAsNewPath : donePath;
  const embed = embedOf(request);
  if (!hasScript)
    return reply
      .header('cache-control', 'no-store')
      .redirect(path(target.form.id, { submissionKey, language: chosenLanguage(request.query, target.languages), embed }), 303);
  const { submission } = await find(target, submissionKey);
  const savedProps = submission ? propsOfSubmission(target, submission) : {};
  const props = { ...freshProps(target, { submissionKey, language, embed }), ...savedProps, hasScript, notice, test };
  return html.sendPage(request, reply, { ...props, screen: 'done' });
}

function refuse(exchange: PostExchange, posted: PostedForm, error: unknown): Promise<FastifyReply> {
  const reason = refusalOf(error);
  if (!reason) throw error;
  if (reason.code === 'form-closed') return refuseClosed(exchange, posted.target);
  if (reason.retryAfter !== undefined) void exchange.reply.header('retry-after', String(reason.retryAfter));
  const errors = errorsOf(reason, posted);
  const text: NoticeName = reason.status >= 500 || reason.status === 429 ? 'notSaved' : 'refused';
  const notice = Object.keys(errors).length > 0 ? undefined : text;
  return sendForm(exchange, { ...posted, notice }, { status: reason.status, errors });
}

interface FormErrors {
  readonly status: number;
  readonly errors: Readonly<Record<string, string>>;
}

/** Sends the form with the visitor's input and the errors. */
function sendForm({ request, reply, html }: PostExchange, posted: PostedForm, { status, errors }: FormErrors): Promise<FastifyReply> {
  const { target, key: submissionKey, language, drafts, left, hasScript, notice, test } = posted;
  // Drafts have the shape of responses, but may be invalid.
  const responses = drafts as readonly Response[];
  const fresh = freshProps(target, { submissionKey, language, embed: embedOf(request) });
  const props = { ...fresh, given: responses, left, hasScript, notice, test, errors };
  return html.sendPage(request, reply.code(status), props);
}

function refuseClosed({ request, reply, html }: PostExchange, target: PublicForm | undefined): Promise<FastifyReply> {
  if (wantsJson(request)) throw refusal(target ? 'form-closed' : 'not-found');
  return html.sendClosed(request, reply, target);
}

/** Returns messages by field. The page checks the fields itself, so the server's reasons need no words of their own. */
function errorsOf({ errors }: Refusal, posted: PostedForm): Record<string, string> {
  const fields = errors.flatMap(({ path }) => fieldOfPath(path, posted.drafts) ?? []);
  return Object.fromEntries(fields.map((field) => [field, wordsOf(posted).badField]));
}

const wordsOf = ({ language }: PostedForm): PageWords => WORDS[language].page;

const wantsJson = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').startsWith('application/json');
