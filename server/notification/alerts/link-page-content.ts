import { firstWords } from '#contract/alert/alert.ts';
import { emailLink, phoneLink } from '#contract/core/contact.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { RATING_WORDS } from '#contract/feedback/rating.ts';
import { STATUS_LABELS } from '#contract/feedback/work.ts';
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

export const EXPIRED: LinkPage = {
  title: 'This link has expired',
  body: html`<p>It works for three days, and only for people on the team.</p><p><a href="/">Open Afterword</a></p>`,
};

/** The page before the button is pressed. */
export function offerPage(linked: LinkedFeedback): LinkPage {
  const { person, assignee, mayTake } = linked;
  if (!mayTake) return statusPage(linked);
  const current = assignee === undefined ? '' : ` ${assignee} has it now.`;
  return {
    title: 'Take this on?',
    body: html`${about(linked)}
<p>Pressing the button marks it as open and assigns it to you, ${person.name}. Your team sees that at once.${current}</p>
<form method="post"><button type="submit">I’m on it</button></form>
${feedbackLink(linked)}`,
  };
}

/** The page after the button was pressed. */
export function takenPage(linked: LinkedFeedback): LinkPage {
  if (!linked.mayTake) return statusPage(linked);
  return { title: 'You’re on it', body: html`${about(linked)}<p>It is open, and assigned to you.</p>${feedbackLink(linked)}` };
}

/** The page of a used link, and of feedback that asks for nothing more. */
function statusPage(linked: LinkedFeedback): LinkPage {
  const { item, assignee, person } = linked;
  const isMine = item.data.assignee === person.id;
  const assignment = assignee === undefined ? 'No one has taken it yet.' : isMine ? 'You have it now.' : `${assignee} has it now.`;
  return {
    title: isMine ? 'You’re on it' : 'Nothing left to do',
    body: html`${about(linked)}<p>It is ${STATUS_LABELS[item.data.status].toLowerCase()}. ${assignment}</p>${feedbackLink(linked)}`,
  };
}

function about({ item, property }: LinkedFeedback) {
  const { rating, textFeedback, contact } = item.data;
  const words = textFeedback === undefined ? html`` : html`<blockquote>${firstWords(textFeedback)}</blockquote>`;
  const request = contact ? contactRequest(contact) : html``;
  return html`<p><strong>${RATING_WORDS[rating]}, ${rating} of 5</strong> at ${property.data.displayName}</p>${words}${request}`;
}

function contactRequest({ name = 'A visitor', phone, email }: NonNullable<Feedback['data']['contact']>) {
  const call = phone === undefined ? html`` : html`<br><a href="${phoneLink(phone)}">${phone}</a>`;
  const write = email === undefined ? html`` : html`<br><a href="${emailLink(email)}">${email}</a>`;
  return html`<p><strong>${name} wants to be contacted</strong>${call}${write}</p>`;
}

const feedbackLink = ({ item }: LinkedFeedback) => html`<p><a href="/?id=${item.id}">Open the feedback</a></p>`;
