import { firstWords } from '#contract/alert/alert.ts';
import { emailLink, phoneLink } from '#contract/core/contact.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { RATING_WORDS } from '#contract/feedback/rating.ts';
import { piecesOf, type Translate, translatable } from '#contract/language/translate.ts';
import type { Property } from '#contract/property/property.ts';
import { html } from '../../platform/http/markup.ts';

/** The feedback behind a link in a mail, and its state. */
export interface LinkedFeedback {
  /** SHA-256 of the link's key. */
  readonly hash: Buffer;
  readonly item: Feedback;
  readonly property: Property;
  readonly person: { readonly id: string; readonly name: string };
  /** The name of the teammate it is assigned to. */
  readonly assignee: string | undefined;
  /** Whether pressing the button assigns it to the link's person. */
  readonly mayTake: boolean;
}

export interface LinkPage {
  readonly title: string;
  readonly body: ReturnType<typeof html>;
}

export const expiredPage = (t: Translate): LinkPage => ({
  title: t('This link has expired'),
  body: html`<p>${t('It works for three days, and only for people on the team.')}</p><p><a href="/">${t('Open Afterword')}</a></p>`,
});

/** The page before the button is pressed. */
export function offerPage(t: Translate, linked: LinkedFeedback): LinkPage {
  const { person, assignee, mayTake } = linked;
  if (!mayTake) return statusPage(t, linked);
  const current = assignee === undefined ? '' : ` ${t('{name} has it now.', { name: assignee })}`;
  return {
    title: t('Take this on?'),
    body: html`${about(t, linked)}
<p>${t('Pressing the button marks it as open and assigns it to you, {name}. Your team sees that at once.', { name: person.name })}${current}</p>
<form method="post"><button type="submit">${t('I’m on it')}</button></form>
${feedbackLink(t, linked)}`,
  };
}

/** The page after the button was pressed. */
export function takenPage(t: Translate, linked: LinkedFeedback): LinkPage {
  if (!linked.mayTake) return statusPage(t, linked);
  return {
    title: t('You’re on it'),
    body: html`${about(t, linked)}<p>${t('It is open, and assigned to you.')}</p>${feedbackLink(t, linked)}`,
  };
}

const STATUSES = translatable({ new: 'It is new.', open: 'It is open.', waiting: 'It is waiting.', done: 'It is done.' });

/** The page of a used link, and of feedback that asks for nothing more. */
function statusPage(t: Translate, linked: LinkedFeedback): LinkPage {
  const { item, assignee, person } = linked;
  const isMine = item.data.assignee === person.id;
  const assignment =
    assignee === undefined ? t('No one has taken it yet.') : isMine ? t('You have it now.') : t('{name} has it now.', { name: assignee });
  return {
    title: isMine ? t('You’re on it') : t('Nothing left to do'),
    body: html`${about(t, linked)}<p>${t(STATUSES[item.data.status])} ${assignment}</p>${feedbackLink(t, linked)}`,
  };
}

function about(t: Translate, { item, property }: LinkedFeedback) {
  const { rating, textFeedback, contact } = item.data;
  const values = { word: t(RATING_WORDS[rating]), rating, place: property.data.displayName };
  const rated = piecesOf(t('<rating>{word}, {rating} of 5</rating> at {place}', values), ['rating']).map(({ text, mark }) =>
    mark === undefined ? html`${text}` : html`<strong>${text}</strong>`,
  );
  const words = textFeedback === undefined ? html`` : html`<blockquote>${firstWords(textFeedback)}</blockquote>`;
  const request = contact ? contactRequest(t, contact) : html``;
  return html`<p>${rated}</p>${words}${request}`;
}

function contactRequest(t: Translate, { name, phone, email }: NonNullable<Feedback['data']['contact']>) {
  const title = name === undefined ? t('A visitor wants to be contacted') : t('{name} wants to be contacted', { name });
  const call = phone === undefined ? html`` : html`<br><a href="${phoneLink(phone)}">${phone}</a>`;
  const write = email === undefined ? html`` : html`<br><a href="${emailLink(email)}">${email}</a>`;
  return html`<p><strong>${title}</strong>${call}${write}</p>`;
}

const feedbackLink = (t: Translate, { item }: LinkedFeedback) => html`<p><a href="/?id=${item.id}">${t('Open the feedback')}</a></p>`;
