import type { FastifyReply, FastifyRequest } from 'fastify';
import { WORDS } from '#contract/language/all.ts';
import type { LanguageTag } from '#contract/language/languages.ts';
import { filled } from '#contract/language/words.ts';
import type { Correction } from '../feedback/visitor-rights.ts';
import { type FormDocument, pageLanguage } from '../form/form.ts';
import { FORM_REFERRER } from '../platform/mailer/sender.ts';
import { REPLY_ROUTE } from './links.ts';
import { type ConversationNotice, conversationPage, type NotOffered, notOfferedPage, onlyErasable, titleOf } from './page-content.ts';
import type { VisitorConversation } from './visitor.ts';

export const SCRIPT_PATH = `${REPLY_ROUTE}page.js`;

export type LinkedPageRequest = FastifyRequest<{ Params: { link: string }; Querystring: { done?: string; until?: string } }>;

interface HtmlOptions {
  readonly document: FormDocument;
  readonly publicUrl: string;
  /** Creates the idempotency key of a message. */
  readonly makeKey: () => string;
}

interface SentPage {
  readonly current: VisitorConversation | undefined;
  readonly notice?: ConversationNotice | undefined;
  readonly draft?: string;
  readonly correction?: Correction;
}

/** Sends a visitor's private page, and the pages in its place. */
export function createConversationHtml({ document, publicUrl, makeKey }: HtmlOptions) {
  return {
    sendPage(request: LinkedPageRequest, reply: FastifyReply, { current, ...shown }: SentPage): FastifyReply {
      if (!current) return sendGone(request, reply);
      const language = languageOf(current);
      const style = (current.target.style ?? '') + document.bundle.CONVERSATION_CSS.trim();
      const link = publicUrl + addressOf(request);
      const page = { ...current, ...shown, bundle: document.bundle, language, link, key: makeKey() };
      const content = document.head(titleOf(page), language, { style }) + conversationPage(page).markup;
      return withHeaders(reply, style).send(`${content}<script type="module" src="${SCRIPT_PATH}"></script></body></html>`);
    },
    sendGone,
    sendNotOffered(request: FastifyRequest, reply: FastifyReply, page: Omit<NotOffered, 'language'>): FastifyReply {
      const { form, style } = page.target;
      const language = pageLanguage(request, page.target);
      const title = filled(WORDS[language].conversation.notOffered, { place: form.data.displayName });
      const content = document.head(title, language, { style }) + notOfferedPage({ ...page, language }).markup;
      return withHeaders(reply.code(409), style).send(`${content}</body></html>`);
    },
    sendErased(request: LinkedPageRequest, reply: FastifyReply, erased: VisitorConversation | undefined): FastifyReply {
      const language = erased ? languageOf(erased) : pageLanguage(request, undefined);
      return withHeaders(reply).send(document.message({ language, title: WORDS[language].conversation.erased, text: '' }, {}));
    },
  };

  /** Sends the page of a link that leads nowhere, or to the answer to a deleted property, which can only be erased at this path. */
  function sendGone(request: FastifyRequest, reply: FastifyReply, erasable?: string): FastifyReply {
    const language = pageLanguage(request, undefined);
    const { gone: title, goneMore: text } = WORDS[language].conversation;
    if (erasable === undefined) return withHeaders(reply.code(404)).send(document.message({ language, title, text }, {}));
    const style = document.bundle.CONVERSATION_CSS.trim();
    const content = document.head(title, language, { style }) + onlyErasable({ language, path: erasable }).markup;
    return withHeaders(reply.code(404), style).send(`${content}</body></html>`);
  }

  function withHeaders(reply: FastifyReply, style?: string): FastifyReply {
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', document.contentSecurityPolicy({ style }))
      .header('cache-control', 'no-store')
      .header('x-robots-tag', 'noindex')
      .header('referrer-policy', FORM_REFERRER);
  }
}

/** Returns the path of the page of a request. */
export const addressOf = ({ params }: LinkedPageRequest): string => REPLY_ROUTE + params.link;

const languageOf = ({ item, target }: VisitorConversation): LanguageTag => item.data.language ?? target.form.data.language;
