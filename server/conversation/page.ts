import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { badField, refusal } from '#contract/core/errors.ts';
import { idempotencyKey, newIdempotencyKey } from '#contract/core/ids.ts';
import { MESSAGES, text, writtenText } from '#contract/core/schema.ts';
import { MAX_TEXT, RATINGS } from '#contract/feedback/rating.ts';
import { conversationPath, KEY_FIELD, rightsPath } from '#contract/form/form-page.ts';
import type { FormDocument } from '../form/form.ts';
import type { FormReader } from '../form/store.ts';
import type { Platform } from '../platform/context.ts';
import { acceptForms } from '../platform/http/http.ts';
import { refusalOf } from '../platform/http/problem.ts';
import type { DeleteMail } from '../platform/mailer/send-mail.ts';
import { senderOf } from '../platform/mailer/sender.ts';
import { addressOf, createConversationHtml, type LinkedPageRequest, SCRIPT_PATH } from './html.ts';
import { type ConversationLinks, REPLY_ROUTE } from './links.ts';
import { type ConversationNotice, NOTICES } from './page-content.ts';
import { openVisitor } from './visitor.ts';

interface ConversationPageOptions {
  readonly platform: Platform;
  readonly forms: FormReader;
  readonly mails: { readonly delete: DeleteMail };
  readonly document: FormDocument;
  readonly links: ConversationLinks;
}

/** A rating is more urgent than anything on a private page. */
const SHED_FIRST = { config: { sheds: 'team' as const } };

type StartRequest = FastifyRequest<{ Params: { formId: string } }>;

/** Adds a visitor's private page, `/reply/:link`, and the address under a form that opens one. */
export function addConversationPage(http: FastifyInstance, { platform, forms, mails, document, links }: ConversationPageOptions): void {
  const { publicUrl } = platform.config;
  const visitor = openVisitor({ platform, forms, links, deleteMail: mails.delete });
  const makeKey = () => newIdempotencyKey(platform.random);
  const html = createConversationHtml({ document, publicUrl, makeKey });

  void http.register(async (pages) => {
    acceptForms(pages);
    pages.addHook('onRequest', async (request) => {
      if (request.method === 'POST' && senderOf(request, publicUrl) === 'other')
        throw refusal('not-allowed', 'Please use the page itself.');
    });
    pages.get(SCRIPT_PATH, async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(document.conversation),
    );
    pages.post(conversationPath(':formId'), SHED_FIRST, (request: StartRequest, reply) => open(request, reply, visitor.ask));
    pages.post(rightsPath(':formId'), SHED_FIRST, (request: StartRequest, reply) => open(request, reply, visitor.open));
    pages.get(`${REPLY_ROUTE}:link`, SHED_FIRST, async (request: LinkedPageRequest, reply) => {
      const { params, query } = request;
      const notice = NOTICES.find((name) => name === query.done);
      const current = await visitor.read(params.link);
      if (current) return html.sendPage(request, reply, { current, notice });
      return html.sendGone(request, reply, (await visitor.mayErase(params.link)) ? addressOf(request) : undefined);
    });
    pages.post(`${REPLY_ROUTE}:link`, SHED_FIRST, (request: LinkedPageRequest, reply) => write(request, reply));
    pages.post(`${REPLY_ROUTE}:link/seen`, SHED_FIRST, async (request: LinkedPageRequest, reply) => {
      const until = new Date(request.query.until ?? '');
      if (Number.isNaN(until.getTime())) throw badField('until', 'Enter the time of the newest message');
      await visitor.see(request.params.link, until);
      return reply.code(204).send();
    });
    pages.post(`${REPLY_ROUTE}:link/correct`, SHED_FIRST, (request: LinkedPageRequest, reply) => correct(request, reply));
    pages.post(`${REPLY_ROUTE}:link/erase`, SHED_FIRST, async (request: LinkedPageRequest, reply) => {
      const erased = await visitor.erase(request.params.link);
      return erased ? html.sendErased(request, reply, erased.current) : html.sendGone(request, reply);
    });
    pages.post(`${REPLY_ROUTE}:link/report`, SHED_FIRST, async (request: LinkedPageRequest, reply) => {
      const reported = await visitor.report(request.params.link);
      return reported ? reply.redirect(`${addressOf(request)}?done=reported`, 303) : html.sendGone(request, reply);
    });
  });

  async function open(request: StartRequest, reply: FastifyReply, openPage: typeof visitor.open): Promise<FastifyReply> {
    const target = await forms.byId(request.params.formId);
    const submissionKey = fieldIn(request.body, KEY_FIELD);
    try {
      const link = target && (await openPage(target, { submissionKey, address: request.ip }));
      return link === undefined ? html.sendGone(request, reply) : reply.redirect(new URL(link).pathname, 303);
    } catch (error) {
      // The form was opened before an admin turned the offer off.
      if (target && refusalOf(error)?.code === 'conflict') return html.sendNotOffered(request, reply, { target, submissionKey });
      throw error;
    }
  }

  async function write(request: LinkedPageRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { link } = request.params;
    const [typed, key] = [textIn(request.body), fieldIn(request.body, KEY_FIELD)];
    const message = v.safeParse(writtenText, typed);
    if (!message.success)
      return html.sendPage(request, reply.code(400), { current: await visitor.read(link), notice: problemIn(typed), draft: typed });
    try {
      const current = await visitor.write(link, { text: message.output, key: v.is(idempotencyKey, key) ? key : makeKey() });
      return current ? reply.redirect(`${addressOf(request)}?done=sent`, 303) : html.sendGone(request, reply);
    } catch (error) {
      const reason = refusalOf(error);
      // Closed or full since the page was opened, which then says so.
      if (reason?.code === 'conflict') return html.sendPage(request, reply, { current: await visitor.read(link), draft: typed });
      if (reason?.code === 'too-many')
        return html.sendPage(request, reply.code(429), { current: await visitor.read(link), notice: 'busy', draft: typed });
      throw error;
    }
  }

  async function correct(request: LinkedPageRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { link } = request.params;
    const rating = RATINGS.find((each) => String(each) === fieldIn(request.body, 'rating'));
    if (rating === undefined) throw badField('rating', MESSAGES.rating);
    const correction = { rating, text: textIn(request.body) };
    const sendAgain = async (status: number, notice: ConversationNotice) =>
      html.sendPage(request, reply.code(status), { current: await visitor.read(link), notice, correction });
    if (!v.is(text(MAX_TEXT), correction.text)) return sendAgain(400, problemIn(correction.text));
    try {
      const corrected = await visitor.correct(link, correction);
      return corrected ? reply.redirect(`${addressOf(request)}?done=saved`, 303) : html.sendGone(request, reply);
    } catch (error) {
      // The form no longer asks for words.
      if (refusalOf(error)?.code === 'conflict') return sendAgain(409, 'refused');
      throw error;
    }
  }
}

/** Returns why words aren't accepted. */
function problemIn(typed: string): ConversationNotice {
  if (typed.length > MAX_TEXT) return 'tooLong';
  return typed.trim() === '' ? 'empty' : 'refused';
}

const textIn = (body: unknown): string => fieldIn(body, 'text').replaceAll('\r\n', '\n');

const fieldIn = (body: unknown, name: string): string => (body instanceof URLSearchParams ? (body.get(name) ?? '') : '');
