import type { Feedback } from '../feedback/feedback.ts';
import { RATING_WORDS, type Rating } from '../feedback/rating.ts';
import type { TeamLanguage } from '../language/team.ts';
import { translatorInto } from '../language/team-words.ts';
import { type Translate, translatable } from '../language/translate.ts';
import type { TEST_EVENT, WebhookEvent, WebhookFormat } from './webhook.ts';

/* The body of a webhook message in each format. Pure; the courier signs it. */

/** The facts of an event when it is sent. Names and words are as saved, unescaped. */
export interface WebhookFacts {
  readonly type: WebhookEvent | typeof TEST_EVENT;
  /** When it happened (UTC ms). */
  readonly at: number;
  readonly accountId: string;
  /** The page in Afterword. */
  readonly link: string;
  /** Missing in a test. */
  readonly about?: {
    readonly feedback: Feedback;
    /** The property's name, and the placement's. */
    readonly property: string;
    readonly placement?: string | undefined;
    readonly comment?: { readonly id: string; readonly text: string; readonly author: string };
  };
}

interface WebhookBody {
  readonly format: WebhookFormat;
  /** Of the texts in a chat. */
  readonly language: TeamLanguage;
  /** True to include words, contacts and names besides ids and a link. */
  readonly isFull: boolean;
}

/** The largest body (bytes of UTF-8). Anything larger is sent without the text. @limit webhook-body */
export const LARGEST_BODY = 20_000;

/** Returns the body as JSON, without the words if it would be too large. */
export function webhookBody(facts: WebhookFacts, wanted: WebhookBody): string {
  const body = JSON.stringify(WRITE[wanted.format](facts, wanted));
  return wanted.isFull && utf8Length(body) > LARGEST_BODY ? webhookBody(facts, { ...wanted, isFull: false }) : body;
}

/** Returns how many bytes of UTF-8 a text takes. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

const WRITE: Readonly<Record<WebhookFormat, (facts: WebhookFacts, wanted: WebhookBody) => object>> = {
  standard: standardMessage,
  slack: slackMessage,
  teams: teamsMessage,
};

function standardMessage({ type, at, accountId, link, about }: WebhookFacts, { isFull }: WebhookBody): object {
  const ids = about && {
    feedbackId: about.feedback.id,
    propertyId: about.feedback.data.projectId,
    ...(about.comment && { commentId: about.comment.id }),
  };
  return { type, timestamp: new Date(at).toISOString(), data: { accountId, ...ids, link, ...(isFull && about && fullData(about)) } };
}

function fullData({ feedback: { gs1sk, data }, property, placement, comment }: NonNullable<WebhookFacts['about']>): object {
  return {
    property,
    ...(placement !== undefined && { placement }),
    created: new Date(data.created).toISOString(),
    rating: data.rating,
    ratingWord: RATING_WORDS[data.rating],
    isUrgent: gs1sk === 'URGENT',
    ...(data.textFeedback !== undefined && { text: data.textFeedback }),
    ...(data.contact && { contact: data.contact }),
    ...(data.orderNumber !== undefined && { orderNumber: data.orderNumber }),
    ...(comment && { comment: { author: comment.author, text: comment.text } }),
  };
}

/* ── Chats ── */

const HEADLINES = translatable({
  'feedback.created': 'New feedback',
  'feedback.amended': 'A visitor amended their feedback',
  'feedback.urgent': 'Urgent feedback',
  'feedback.erased': 'A visitor deleted their words',
  'comment.created': 'New comment on feedback',
  'webhook.test': 'This is a test from Afterword.',
} satisfies Record<WebhookFacts['type'], string>);

interface ChatParts {
  readonly headline: string;
  /** The place, and the rating with its label. */
  readonly lines: readonly string[];
  /** People's texts, with their names. */
  readonly words: readonly string[];
  /** The label of the link to Afterword. */
  readonly open: string;
}

function chatParts({ type, about }: WebhookFacts, { isFull, language }: WebhookBody): ChatParts {
  const t = translatorInto(language);
  const parts = { headline: t(HEADLINES[type]), open: t('Open in Afterword') };
  if (!about) return { ...parts, lines: [], words: [] };
  const { feedback, property, placement, comment } = about;
  const { rating, textFeedback, contact } = feedback.data;
  const reach = [contact?.name, contact?.phone, contact?.email].filter((detail) => detail !== undefined && detail !== '');
  return {
    ...parts,
    lines: [placement === undefined ? property : `${property}, ${placement}`, ratingLine(t, rating)],
    words: isFull
      ? [
          ...(textFeedback !== undefined && textFeedback !== '' ? [textFeedback] : []),
          ...(reach.length > 0 ? [t('Contact: {details}', { details: reach.join(', ') })] : []),
          ...(comment ? [`${comment.author}: ${comment.text}`] : []),
        ]
      : [],
  };
}

const ratingLine = (t: Translate, rating: Rating): string => t('{word} ({rating} of 5)', { word: t(RATING_WORDS[rating]), rating });

/**
 * Returns a message for Slack's incoming webhooks. The characters of its markup, `&`, `<` and `>`, are escaped; `verbatim` turns off
 * links for names and URLs; and a zero-width character after `@` prevents mentions wherever the text is shown.
 */
function slackMessage(facts: WebhookFacts, wanted: WebhookBody): object {
  const { headline, lines, words, open } = chatParts(facts, wanted);
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', verbatim: true, text: text.slice(0, LONGEST_SECTION) } });
  return {
    text: [headline, ...lines].map(forSlack).join(' · '),
    parse: 'none',
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      section([`*${headline}*`, ...lines.map(forSlack)].join('\n')),
      ...words.map((text) => section(forSlack(text))),
      section(`<${forSlack(facts.link)}|${open}>`),
    ],
  };
}

/** Slack's own limit. */
const LONGEST_SECTION = 3000;
const forSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('@', '@\u2060');

/** Returns an Adaptive Card for Teams' workflows. Text runs have no markup, so nothing that people wrote becomes a link or a mention. */
function teamsMessage(facts: WebhookFacts, wanted: WebhookBody): object {
  const { headline, lines, words, open } = chatParts(facts, wanted);
  const plain = (text: string, weight?: 'bolder') => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: text.replaceAll('@', '@\u2060'), ...(weight && { weight }) }],
  });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [plain(headline, 'bolder'), ...[...lines, ...words].map((text) => plain(text))],
    actions: [{ type: 'Action.OpenUrl', title: open, url: facts.link }],
  };
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }] };
}
