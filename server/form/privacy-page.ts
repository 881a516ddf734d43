import { emailLink } from '#contract/core/contact.ts';
import { type FormBundle, PRIVACY_PATH } from '#contract/form/form-page.ts';
import { blockOf, servicesOf, stepOf } from '#contract/form/steps.ts';
import { WORDS } from '#contract/language/all.ts';
import type { LanguageTag } from '#contract/language/languages.ts';
import { filled } from '#contract/language/words.ts';
import { type Html, html, trusted } from '../platform/http/markup.ts';
import type { PublicForm } from './store.ts';

interface PrivacyPageOptions {
  readonly target: PublicForm;
  readonly language: LanguageTag;
  readonly bundle: FormBundle;
}

/** Returns a property's privacy page, which follows from its form and settings (docs/decisions/0015-replies-and-rights.md). */
export function privacyPage({ target, language, bundle }: PrivacyPageOptions) {
  const { privacy: words, page, conversation } = WORDS[language];
  const { business, form, look, style, privateReplies } = target;
  const button = privateReplies ? page.answer : conversation.feedback;
  const place = form.data.displayName;
  const title = filled(words.title, { place });
  const main = html`<main class="card"><p class="place">${trusted(bundle.renderPlace({ business, place, look }))}</p><h1>${title}</h1>
<p class="hint">${filled(words.lead, { business })}</p>
<h2>${words.stored}</h2><ul>${storedData(target, language).map((line) => html`<li>${line}</li>`)}</ul><p>${words.none}</p>
<h2>${words.readers}</h2><p>${filled(words.team, { business })}</p>${reviewsOf(target, language)}
<h2>${words.period}</h2><p>${periodOf(target, language)}</p>
<h2>${words.rights}</h2><p>${filled(words.change, { answer: button })}</p><p>${contactOf(target, language)}</p>
<p class="foot"><a href="${PRIVACY_PATH}">${words.operator}</a></p></main>`;
  return { title, language, style, main };
}

function storedData({ business, form, receiptSecret }: PublicForm, language: LanguageTag): string[] {
  const words = WORDS[language].privacy;
  const hasContact = blockOf(stepOf(form.data.steps, 'experience'), 'ContactMe') !== undefined;
  return [
    words.rating,
    ...(hasContact ? [words.contact] : []),
    ...(receiptSecret === undefined ? [] : [words.order]),
    filled(words.technical, { business }),
    words.network,
    words.device,
  ];
}

function reviewsOf({ form }: PublicForm, language: LanguageTag): Html {
  const names = servicesOf(form.data.steps).map(({ name, url }) => (name === 'Other' ? new URL(url).host : name));
  if (names.length === 0) return html``;
  const services = new Intl.ListFormat(language, { type: 'disjunction' }).format(names);
  return html`<p>${filled(WORDS[language].privacy.reviews, { services })}</p>`;
}

function periodOf({ business, retention }: PublicForm, language: LanguageTag): string {
  const words = WORDS[language].privacy;
  if (retention === undefined) return filled(words.unlimited, { business });
  const months = new Intl.NumberFormat(language, { style: 'unit', unit: 'month', unitDisplay: 'long' });
  return filled(words.months, { period: months.format(retention) });
}

function contactOf({ business, privacyContact }: PublicForm, language: LanguageTag): Html {
  const words = WORDS[language].privacy;
  if (privacyContact === undefined) return html`${filled(words.askTeam, { business })}`;
  const [before = '', after = ''] = words.ask.split('{email}');
  return html`${before}<a href="${emailLink(privacyContact)}">${privacyContact}</a>${after}`;
}
