import { renderSVG } from 'uqr';
import type { ConversationMessage } from '#contract/conversation/conversation.ts';
import { MOST_MESSAGES } from '#contract/conversation/messages.ts';
import { MAX_TEXT, RATINGS } from '#contract/feedback/rating.ts';
import { type FormBundle, KEY_FIELD, privacyPath, rightsPath } from '#contract/form/form-page.ts';
import { WORDS } from '#contract/language/all.ts';
import type { LanguageTag } from '#contract/language/languages.ts';
import { filled, pluralIn } from '#contract/language/words.ts';
import { zoneOf } from '#contract/property/property.ts';
import { type Correction, wordsBlock } from '../feedback/visitor-rights.ts';
import type { PublicForm } from '../form/store.ts';
import { type Html, html, trusted } from '../platform/http/markup.ts';
import { hasConversation } from './store.ts';
import type { VisitorConversation } from './visitor.ts';

/** The sentence above the messages, after the visitor did something. */
export const NOTICES = ['sent', 'saved', 'reported'] as const;
/** The sentence in its place, about words that weren't accepted. */
type TextProblem = 'busy' | 'empty' | 'tooLong' | 'refused';
export type ConversationNotice = (typeof NOTICES)[number] | TextProblem;

interface PrivatePage extends VisitorConversation {
  readonly language: LanguageTag;
  readonly bundle: FormBundle;
  /** The page's own address. */
  readonly link: string;
  /** The idempotency key of the next message. */
  readonly key: string;
  readonly notice?: ConversationNotice | undefined;
  /** A message that wasn't accepted. */
  readonly draft?: string | undefined;
  /** A correction that wasn't accepted. */
  readonly correction?: Correction | undefined;
}

/** Returns the page's title. */
export const titleOf = ({ language, property, item }: Pick<PrivatePage, 'language' | 'property' | 'item'>): string =>
  hasConversation(item)
    ? filled(WORDS[language].conversation.title, { place: property.data.displayName })
    : WORDS[language].conversation.feedback;

/** Returns the markup of a visitor's private page. */
export function conversationPage(options: PrivatePage): Html {
  const { language, item, conversation, target, property, bundle } = options;
  const words = WORDS[language].conversation;
  const { rating, textFeedback, created } = item.data;
  const answer = {
    author: undefined,
    sent: created,
    text: [WORDS[language].page.ratings[rating - 1], textFeedback].filter(Boolean).join('\n'),
  };
  return html`<main class="card"><p class="place">${trusted(bundle.renderPlace({ business: target.business, place: property.data.displayName, look: target.look }))}</p><h1>${titleOf(options)}</h1>
<p class="hint">${words.lead}</p>${noticeOf(options)}
<ol class="talk">${[answer, ...conversation.messages].map((message) => messageOf(options, message))}</ol>
${hasConversation(item) ? conversationParts(options) : html`<section class="part">${rightsForms(options)}</section>${keepSection(options)}`}
<p class="foot"><a href="${privacyPath(target.form.id, language)}">${WORDS[language].page.privacy}</a></p></main>`;
}

function conversationParts(options: PrivatePage): Html {
  const { language, conversation } = options;
  const parts =
    conversation.messages.length === 0
      ? html`<p>${WORDS[language].conversation.nothing}</p>${keepSection(options)}${writeForm(options)}`
      : html`${writeForm(options)}${keepSection(options)}`;
  return html`${parts}<section class="part">${reportForm(options)}${rightsForms(options)}</section>`;
}

/** The page after asking for an answer that the property doesn't offer. */
export interface NotOffered {
  readonly target: PublicForm;
  readonly submissionKey: string;
  readonly language: LanguageTag;
}

/** Returns its markup, with a button to the visitor's page. */
export function notOfferedPage({ target, submissionKey, language }: NotOffered): Html {
  const { notOffered, feedback } = WORDS[language].conversation;
  return html`<main class="card"><div class="done"><h1>${filled(notOffered, { place: target.form.data.displayName })}</h1>
<form class="answer" method="post" action="${rightsPath(target.form.id)}"><input type="hidden" name="${KEY_FIELD}" value="${submissionKey}"><button>${feedback}</button></form></div></main>`;
}

/** Returns the markup of the page of an answer whose property is gone. */
export function onlyErasable({ language, path }: { readonly language: LanguageTag; readonly path: string }): Html {
  return html`<main class="card"><h1>${WORDS[language].conversation.gone}</h1><section class="part">${eraseForm(language, path)}</section></main>`;
}

const pathOf = ({ link }: Pick<PrivatePage, 'link'>): string => new URL(link).pathname;

function noticeOf({ language, property, target, notice, draft, correction }: PrivatePage): Html {
  if (notice === undefined) return html``;
  const { conversation: words, page } = WORDS[language];
  const texts = {
    sent: filled(words.sent, { place: property.data.displayName }),
    saved: words.saved,
    reported: filled(words.reported, { business: target.business }),
    busy: words.busy,
    empty: page.fillIn,
    tooLong: pluralIn(language, page.tooLong, (draft ?? correction?.text ?? '').length - MAX_TEXT),
    refused: page.refused,
  };
  const tone = NOTICES.some((name) => name === notice) ? 'good' : 'wait';
  return html`<div class="line"><p class="${tone}" role="status">${texts[notice]}</p></div>`;
}

function messageOf(
  { language, property }: PrivatePage,
  { author, sent, text }: Pick<ConversationMessage, 'author' | 'sent' | 'text'>,
): Html {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zoneOf(property) });
  const isVisitors = author === undefined;
  const by = isVisitors ? WORDS[language].conversation.you : property.data.displayName;
  return html`<li class="${isVisitors ? 'visitor' : 'team'}"><p class="by">${by} · <time datetime="${new Date(sent).toISOString()}">${format.format(sent)}</time></p><p dir="auto">${text}</p></li>`;
}

function writeForm(options: PrivatePage): Html {
  const { language, property, conversation, key, draft = '', notice } = options;
  const { conversation: words, page } = WORDS[language];
  const place = property.data.displayName;
  if (conversation.closed) return html`<p>${filled(words.ended, { place })}</p>${unsentMessage(options)}`;
  if (conversation.messages.length >= MOST_MESSAGES) return html`<p>${words.full}</p>${unsentMessage(options)}`;
  const invalid = options.draft !== undefined && notice !== 'busy' ? html` aria-invalid="true"` : html``;
  return html`<form method="post" action="${pathOf(options)}"><input type="hidden" name="key" value="${key}">
<div class="field"><label for="text">${filled(words.write, { place })}</label><textarea id="text" name="text" rows="4" required dir="auto"${invalid}>${draft}</textarea></div>
<button class="button">${page.send}</button></form>`;
}

/** A message that can no longer be sent, to copy. */
function unsentMessage({ language, property, draft }: PrivatePage): Html {
  if (draft === undefined) return html``;
  const label = filled(WORDS[language].conversation.write, { place: property.data.displayName });
  return html`<div class="field"><label for="text">${label}</label><textarea id="text" rows="4" readonly dir="auto">${draft}</textarea></div>`;
}

/** How to come back: the link, buttons that need a script, and a code for a phone. */
function keepSection(options: PrivatePage): Html {
  const words = WORDS[options.language].conversation;
  return html`<section class="part" aria-labelledby="keep"><h2 id="keep">${words.keep}</h2>
${hasConversation(options.item) ? html`<p class="hint">${words.answerHere}</p>` : html``}<p class="hint">${filled(words.keepMore, { date: dayOf(options) })}</p>
<input id="link" readonly value="${options.link}" aria-labelledby="keep" dir="ltr">
<button type="button" id="copy" data-done="${words.copied}" hidden>${words.copy}</button><button type="button" id="share" hidden>${words.share}</button>
<p id="copied" class="hint" role="status"></p>
<details><summary>${words.scan}</summary><div class="code">${trusted(renderSVG(options.link, { border: 1 }))}</div></details></section>`;
}

function reportForm(options: PrivatePage): Html {
  const { language, target, conversation } = options;
  const words = WORDS[language].conversation;
  if (conversation.reported !== undefined) return html``;
  return html`<details><summary>${words.report}</summary><p class="hint">${filled(words.reportMore, { business: target.business })}</p>
<form method="post" action="${pathOf(options)}/report"><button>${words.report}</button></form></details>`;
}

/** The forms by which a visitor corrects or deletes what they gave. */
function rightsForms(options: PrivatePage): Html {
  const { language, item, target, correction } = options;
  const { conversation: words, page } = WORDS[language];
  const { rating, text = '' } = correction ?? { rating: item.data.rating, text: item.data.textFeedback };
  const choices = RATINGS.map(
    (each) => html`<option value="${each}"${each === rating ? html` selected` : html``}>${page.ratings[each - 1] ?? each}</option>`,
  );
  const isOpen = hasConversation(item) && !correction ? html`` : html` open`;
  const invalid = correction ? html` aria-invalid="true"` : html``;
  const writing =
    wordsBlock(item, target) === undefined && text === ''
      ? ''
      : html`<div class="field"><textarea name="text" rows="4" aria-label="${words.feedback}" dir="auto"${invalid}>${text}</textarea></div>`;
  return html`<details${isOpen}><summary>${words.correct}</summary>
<form method="post" action="${pathOf(options)}/correct"><div class="field"><select name="rating" aria-label="${words.feedback}">${choices}</select></div>${writing}
<button class="button">${words.save}</button></form></details>
${eraseForm(language, pathOf(options))}`;
}

function eraseForm(language: LanguageTag, path: string): Html {
  const { erase, eraseMore } = WORDS[language].conversation;
  return html`<details><summary>${erase}</summary><p class="hint">${eraseMore}</p>
<form method="post" action="${path}/erase"><button>${erase}</button></form></details>`;
}

const dayOf = ({ language, property, until }: PrivatePage): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: zoneOf(property) }).format(until);
