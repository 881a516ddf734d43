import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Submission } from '#contract/feedback/feedback.ts';
import type { Step } from '#contract/form/form.ts';
import type { FormProps } from '#contract/form/form-page.ts';
import { APOLOGY, gaugeOf, stepOf } from '#contract/form/steps.ts';
import { accepts } from '../platform/http/http.ts';
import { refusalOf } from '../platform/http/problem.ts';
import { FORM_REFERRER } from '../platform/mailer/sender.ts';
import type { FormDocument } from './document.ts';
import type { PublicForm } from './store.ts';

const HTML = 'text/html; charset=utf-8';
const CLOSED = 'This form is no longer open.';
const CLOSED_MORE =
  'The code or link you used opens a feedback form that was closed or doesn’t exist. Please ask the team there for a new one.';
const TROUBLE = 'We can’t show this form right now';
const TROUBLE_MORE = 'Please try again in a moment.';

/** Pages of the form, and how they travel. */
export interface FormHtml {
  /** The whole page. */
  page(props: FormProps): string;
  /** The rest of a page that has begun with the skeleton. */
  rest(props: FormProps): string;
  /** The rest of such a page when the form is closed. */
  restClosed(): string;
  restTrouble(address: string): string;
  send(request: FastifyRequest, reply: FastifyReply, html: string): Promise<FastifyReply>;
  /** The form was deleted, or never was. */
  sendClosed(request: FastifyRequest, reply: FastifyReply, target: PublicForm | undefined): Promise<FastifyReply>;
  /** The database is away or slow to answer: the page says so and offers to try again. Throws what is not a refusal. */
  sendTrouble(request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<FastifyReply>;
  /** For answers that are put together by hand. */
  addHeaders(reply: FastifyReply): FastifyReply;
}

export function createFormHtml(document: FormDocument): FormHtml {
  return {
    page: (props) => `${document.head(titleOf(props))}${document.bundle.renderForm(props)}${document.tail}`,
    rest: (props) => `${document.bundle.renderForm(props)}${document.tail}`,
    restClosed: () => document.plainSentence(CLOSED, CLOSED_MORE),
    restTrouble: (address) => document.plainSentence(TROUBLE, TROUBLE_MORE, address),
    send,
    sendClosed: (request, reply, target) => send(request, reply.code(target ? 410 : 404), document.sentence(CLOSED, CLOSED_MORE)),
    async sendTrouble(request, reply, error) {
      const no = refusalOf(error);
      if (!no) throw error;
      if (no.retryAfter !== undefined) void reply.header('retry-after', String(no.retryAfter));
      return send(request, reply.code(no.status), document.sentence(TROUBLE, TROUBLE_MORE, request.url));
    },
    addHeaders,
  };

  async function send(request: FastifyRequest, reply: FastifyReply, html: string): Promise<FastifyReply> {
    if (!accepts(request, 'gzip')) return addHeaders(reply).send(html);
    return addHeaders(reply)
      .header('content-encoding', 'gzip')
      .send(await promisify(gzip)(html));
  }

  /** Not `no-store`: going back must show the same page with the same key, not a new one that would save twice. */
  function addHeaders(reply: FastifyReply): FastifyReply {
    return (
      reply
        .type(HTML)
        .header('content-security-policy', document.contentSecurityPolicy)
        .header('cache-control', 'private, no-cache')
        .header('referrer-policy', FORM_REFERRER)
        // Isolation makes the browser change processes before it paints, 40 ms on a slow phone; nobody is signed in here.
        .header('cross-origin-opener-policy', 'unsafe-none')
        .header('vary', 'accept-encoding')
    );
  }
}

/** What a visitor sees who has answered nothing yet. */
export const freshProps = ({ form, business }: PublicForm, submissionKey: string): FormProps => ({
  formId: form.id,
  version: form.data.version,
  submissionKey,
  business,
  place: form.data.displayName,
  steps: form.data.steps.map(withTrueApology),
  inviteToReview: form.data.inviteToReview,
  screen: 'experience',
  given: [],
  left: [],
  errors: {},
});

/**
 * What forms were made with before: said when no note was written, and when nothing had arrived. They have it stored, and
 * their versions are never changed; so what they are made with today takes its place here, where every page gets its steps.
 */
const FORMER_APOLOGY = 'Your note went straight to the team.';

const withTrueApology = (step: Step): Step => (step.subtitle === FORMER_APOLOGY ? { ...step, subtitle: APOLOGY } : step);

/** What a key shows of its submission: the rating, and that there is more. */
export const shownOf = ({ form }: PublicForm, { data }: Submission): Pick<FormProps, 'given' | 'left' | 'since'> => ({
  since: data.created,
  given: [{ uuid: gaugeOf(form.data.steps).uuid, block: 'EmojiGauge', response: data.rating }],
  left: data.left,
});

const titleOf = ({ steps, place, screen }: FormProps): string =>
  `${screen === 'done' ? 'Thank you' : stepOf(steps, 'experience').title} · ${place}`;
