import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lookStyle } from '#contract/brand/look.ts';
import type { Submission } from '#contract/feedback/feedback.ts';
import type { FormProps } from '#contract/form/form-page.ts';
import { gaugeOf, stepOf } from '#contract/form/steps.ts';
import { STANDARD_TEXTS, WORDS } from '#contract/language/all.ts';
import { LANGUAGE_NAMES, type LanguageTag } from '#contract/language/languages.ts';
import { translatedSteps } from '#contract/language/texts.ts';
import { accepts } from '../platform/http/http.ts';
import { refusalOf } from '../platform/http/problem.ts';
import { FORM_REFERRER } from '../platform/mailer/sender.ts';
import type { FormDocument, PageMessage } from './document.ts';
import { pageLanguage } from './language.ts';
import type { PublicForm } from './store.ts';

const HTML = 'text/html; charset=utf-8';

/** Renders and sends the form's pages. */
export interface FormHtml {
  /** Returns the complete page, to prepare it. */
  page(props: FormProps): string;
  /** Returns the rest of a page whose skeleton was already sent. */
  rest(props: FormProps): string;
  /** Returns the rest of such a page if the form is closed. */
  restClosed(language: LanguageTag): string;
  restTrouble(language: LanguageTag, address: string): string;
  /** Sends the complete page. */
  sendPage(request: FastifyRequest, reply: FastifyReply, props: FormProps): Promise<FastifyReply>;
  /** Sends the page of a closed, deleted or unknown form. */
  sendClosed(request: FastifyRequest, reply: FastifyReply, target: PublicForm | undefined): Promise<FastifyReply>;
  /** Sends a page that offers to try again, for a refusal such as an unreachable database. Rethrows other errors. */
  sendTrouble(request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<FastifyReply>;
  /** Adds the page's headers to a reply that is assembled elsewhere. `style` is a brand's. */
  addHeaders(reply: FastifyReply, style?: string): FastifyReply;
}

export function createFormHtml(document: FormDocument): FormHtml {
  return {
    page,
    rest: (props) => `${document.bundle.renderForm(props)}${document.tail}`,
    restClosed: (language) => document.messageWithoutHead(closedMessage(language)),
    restTrouble: (language, address) => document.messageWithoutHead(troubleMessage(language, address)),
    sendPage,
    sendClosed: (request, reply, target) =>
      send(request, reply.code(target ? 410 : 404), document.message(closedMessage(pageLanguage(request, target)))),
    async sendTrouble(request, reply, error) {
      const no = refusalOf(error);
      if (!no) throw error;
      if (no.retryAfter !== undefined) void reply.header('retry-after', String(no.retryAfter));
      return send(request, reply.code(no.status), document.message(troubleMessage(pageLanguage(request, undefined), request.url)));
    },
    addHeaders,
  };

  function page(props: FormProps): string {
    return document.head(titleOf(props), props.language, styleOf(props)) + document.bundle.renderForm(props) + document.tail;
  }

  function sendPage(request: FastifyRequest, reply: FastifyReply, props: FormProps): Promise<FastifyReply> {
    return send(request, reply, page(props), styleOf(props));
  }

  async function send(request: FastifyRequest, reply: FastifyReply, html: string, style?: string): Promise<FastifyReply> {
    if (!accepts(request, 'gzip')) return addHeaders(reply, style).send(html);
    return addHeaders(reply, style)
      .header('content-encoding', 'gzip')
      .send(await promisify(gzip)(html));
  }

  /** Not `no-store`, so that going back shows the same page with the same key: a new page would save a second answer. */
  function addHeaders(reply: FastifyReply, style?: string): FastifyReply {
    return (
      reply
        .type(HTML)
        .header('content-security-policy', document.contentSecurityPolicy(style))
        .header('cache-control', 'private, no-cache')
        .header('referrer-policy', FORM_REFERRER)
        // Isolation makes the browser switch processes before it paints, 40 ms on a slow phone, and no one is signed in here.
        .header('cross-origin-opener-policy', 'unsafe-none')
        .header('vary', 'accept-encoding, accept-language')
    );
  }
}

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
type FreshPage = Pick<FormProps, 'submissionKey' | 'language'>;

/** Returns the props of a form without answers. */
export const freshProps = ({ form, business, look, style, languages }: PublicForm, { submissionKey, language }: FreshPage): FormProps => ({
  formId: form.id,
  version: form.data.version,
  submissionKey,
  business,
  place: form.data.displayName,
  ...((style !== undefined || look.logo) && { look }),
  steps: translatedSteps(form.data, language, STANDARD_TEXTS),
  language,
  words: WORDS[language].page,
  languages: languages.map((tag) => ({ tag, name: LANGUAGE_NAMES[tag] })),
  inviteToReview: form.data.inviteToReview,
  screen: 'experience',
  given: [],
  left: [],
  errors: {},
});

/** Returns what the holder of a key sees of its submission: the rating, and which other fields were filled in. */
export const propsOfSubmission = ({ form }: PublicForm, { data }: Submission): Pick<FormProps, 'given' | 'left' | 'since'> => ({
  since: data.created,
  given: [{ uuid: gaugeOf(form.data.steps).uuid, block: 'EmojiGauge', response: data.rating }],
  left: data.left,
});

const titleOf = ({ steps, place, screen, language }: FormProps): string =>
  `${screen === 'done' ? WORDS[language].messages.thanks : stepOf(steps, 'experience').title} · ${place}`;

const styleOf = ({ look }: Pick<FormProps, 'look'>): string | undefined => look && lookStyle(look);
