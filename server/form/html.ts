import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lookStyle } from '#contract/brand/look.ts';
import type { Response, Submission } from '#contract/feedback/feedback.ts';
import { RATINGS, type Rating } from '#contract/feedback/rating.ts';
import type { Form } from '#contract/form/form.ts';
import { EMBED_FIELD, type FormProps, KEY_FIELD, RATING_FIELD } from '#contract/form/form-page.ts';
import { gaugeOf, stepOf } from '#contract/form/steps.ts';
import { STANDARD_TEXTS, WORDS } from '#contract/language/all.ts';
import { LANGUAGE_NAMES, type LanguageTag } from '#contract/language/languages.ts';
import { translatedSteps } from '#contract/language/texts.ts';
import { accepts } from '../platform/http/http.ts';
import type { Html } from '../platform/http/markup.ts';
import { refusalOf } from '../platform/http/problem.ts';
import { FORM_REFERRER } from '../platform/mailer/sender.ts';
import type { FormDocument, PageMessage, PageVariant } from './document.ts';
import { pageLanguage } from './language.ts';
import type { PublicForm } from './store.ts';

const HTML = 'text/html; charset=utf-8';

/** Renders and sends the form's pages. */
export interface FormHtml {
  /** Returns the complete page, to prepare it. */
  page(props: FormProps, variant: PageVariant): string;
  /** Returns the rest of a page whose skeleton was already sent. */
  rest(props: FormProps, variant: PageVariant): string;
  /** Returns the rest of such a page if the form is closed. */
  restClosed(language: LanguageTag): string;
  restTrouble(language: LanguageTag, address: string): string;
  /** Sends the complete page. */
  sendPage(request: FastifyRequest, reply: FastifyReply, props: FormProps): Promise<FastifyReply>;
  /** Sends the page of a closed, deleted or unknown form. */
  sendClosed(request: FastifyRequest, reply: FastifyReply, target: PublicForm | undefined): Promise<FastifyReply>;
  /** Sends a page that offers to try again, for a refusal such as an unreachable database. Rethrows other errors. */
  sendTrouble(request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<FastifyReply>;
  /** Sends a page without a script, such as the privacy page. */
  sendContent(request: FastifyRequest, reply: FastifyReply, content: PageContent): Promise<FastifyReply>;
  /** Adds the page's headers to a reply that is assembled elsewhere. */
  addHeaders(reply: FastifyReply, variant?: PageVariant): FastifyReply;
}

/** A page's content. */
interface PageContent {
  readonly title: string;
  readonly language: LanguageTag;
  readonly style: string | undefined;
  readonly main: Html;
}

export function createFormHtml(document: FormDocument): FormHtml {
  return {
    page,
    rest,
    restClosed: (language) => document.messageWithoutHead(closedMessage(language)),
    restTrouble: (language, address) => document.messageWithoutHead(troubleMessage(language, address)),
    sendPage,
    sendClosed: (request, reply, target) =>
      sendMessage(request, reply.code(target ? 410 : 404), closedMessage(pageLanguage(request, target))),
    async sendTrouble(request, reply, error) {
      const no = refusalOf(error);
      if (!no) throw error;
      if (no.retryAfter !== undefined) void reply.header('retry-after', String(no.retryAfter));
      return sendMessage(request, reply.code(no.status), troubleMessage(pageLanguage(request, undefined), request.url));
    },
    sendContent,
    addHeaders,
  };

  function page(props: FormProps, variant: PageVariant): string {
    return document.head(titleOf(props), props.language, variant) + document.bundle.renderForm(props) + document.tail(variant);
  }

  function rest(props: FormProps, variant: PageVariant): string {
    const style = styleOf(props);
    const styled = style === undefined ? '' : `<style nonce="${variant.nonce}">${style}</style>`;
    return styled + document.bundle.renderForm(props) + document.tail(variant);
  }

  function sendPage(request: FastifyRequest, reply: FastifyReply, props: FormProps): Promise<FastifyReply> {
    const variant = { ...variantOf(request), style: styleOf(props) };
    return send(request, addHeaders(reply, variant), page(props, variant));
  }

  function sendMessage(request: FastifyRequest, reply: FastifyReply, content: PageMessage): Promise<FastifyReply> {
    const variant = variantOf(request);
    return send(request, addHeaders(reply, variant), document.message(content, variant));
  }

  function sendContent(request: FastifyRequest, reply: FastifyReply, { title, language, style, main }: PageContent): Promise<FastifyReply> {
    const page = `${document.head(title, language, { style })}${main.markup}</body></html>`;
    return send(request, addHeaders(reply, { style }), page);
  }

  async function send(request: FastifyRequest, reply: FastifyReply, html: string): Promise<FastifyReply> {
    if (!accepts(request, 'gzip')) return reply.send(html);
    return reply.header('content-encoding', 'gzip').send(await promisify(gzip)(html));
  }

  /** Not `no-store`, so that going back shows the same page with the same key: a new page would save a second answer. */
  function addHeaders(reply: FastifyReply, variant: PageVariant = {}): FastifyReply {
    if (variant.isEmbedded) void reply.headers(CROSS_ORIGIN);
    return (
      reply
        .type(HTML)
        .header('content-security-policy', document.contentSecurityPolicy(variant))
        .header('cache-control', 'private, no-cache')
        .header('referrer-policy', FORM_REFERRER)
        // Isolation makes the browser switch processes before it paints, 40 ms on a slow phone, and no one is signed in here.
        .header('cross-origin-opener-policy', 'unsafe-none')
        .header('vary', 'accept-encoding, accept-language')
    );
  }
}

/** Lets a page show the form that requires these headers of its frames. */
const CROSS_ORIGIN = { 'cross-origin-resource-policy': 'cross-origin', 'cross-origin-embedder-policy': 'require-corp' };

const closedMessage = (language: LanguageTag): PageMessage => ({
  language,
  title: WORDS[language].page.closed,
  text: WORDS[language].messages.closedMore,
});

const troubleMessage = (language: LanguageTag, retry: string): PageMessage => ({
  language,
  title: WORDS[language].messages.unavailable,
  text: WORDS[language].messages.unavailableMore,
  retry,
});

/** A page's key and language. */
interface FreshPage extends Pick<FormProps, 'submissionKey' | 'language' | 'embed'> {
  readonly rating?: Rating | undefined;
}

/** Returns the props of a form without answers, or with a face that is chosen but not saved. */
export const freshProps = (
  { form, business, look, style, languages, privateReplies }: PublicForm,
  { submissionKey, language, embed, rating }: FreshPage,
): FormProps => ({
  formId: form.id,
  version: form.data.version,
  submissionKey,
  business,
  place: form.data.displayName,
  ...((style !== undefined || look.logo) && { look }),
  steps: translatedSteps(form.data, language, STANDARD_TEXTS),
  language,
  words: WORDS[language].page,
  ...(!privateReplies && { privatePage: WORDS[language].conversation.feedback }),
  languages: languages.map((tag) => ({ tag, name: LANGUAGE_NAMES[tag] })),
  inviteToReview: form.data.inviteToReview,
  embed,
  screen: 'experience',
  given: rating === undefined ? [] : [ratingOf(form, rating)],
  left: [],
  errors: {},
});

/** Returns what the holder of a key sees of its submission: the rating, and which other fields were filled in. */
export const propsOfSubmission = ({ form }: PublicForm, { data }: Submission): Pick<FormProps, 'given' | 'left' | 'since'> => ({
  since: data.created,
  given: [ratingOf(form, data.rating)],
  left: data.left,
});

const ratingOf = ({ data }: Form, rating: Rating): Response => ({
  uuid: gaugeOf(data.steps).uuid,
  block: 'EmojiGauge',
  response: rating,
});

type PageRequest = Pick<FastifyRequest, 'method' | 'query'>;

/** Returns what a request's page has besides the usual, apart from a brand. */
export const variantOf = (request: PageRequest): PageVariant => ({
  isEmbedded: embedOf(request) === true,
  isFromMail: ratingIn(request) !== undefined,
});

/** Returns whether a page is in another site's frame, as in its props. */
export const embedOf = ({ query }: PageRequest): true | undefined => fieldOf(query, EMBED_FIELD) === '1' || undefined;

/** Returns the face that was chosen in a mail, unless the page shows an answer. */
export const ratingIn = ({ method, query }: PageRequest): Rating | undefined =>
  method === 'POST' || fieldOf(query, KEY_FIELD) !== undefined
    ? undefined
    : RATINGS.find((rating) => String(rating) === fieldOf(query, RATING_FIELD));

const fieldOf = (query: unknown, name: string): unknown => (query as Readonly<Record<string, unknown>>)[name];

const titleOf = ({ steps, place, screen, language }: FormProps): string =>
  `${screen === 'done' ? WORDS[language].messages.thanks : stepOf(steps, 'experience').title} · ${place}`;

const styleOf = ({ look }: Pick<FormProps, 'look'>): string | undefined => look && lookStyle(look);
