import type { ReviewService } from '../form/review.ts';
import type { LanguageTag } from './languages.ts';

/* The form's own words. A language is one file in words/, which the compiler checks for completeness. Names in braces are filled in. */

/** Forms of a text by plural category (https://cldr.unicode.org/index/cldr-spec/plural-rules). A language has those that it uses. */
export type PluralText = { readonly other: string } & { readonly [Category in Exclude<Intl.LDMLPluralRule, 'other'>]?: string };

/** The words that a page needs in the browser. */
export interface PageWords {
  /** The five faces, from 1 to 5. */
  readonly ratings: readonly [string, string, string, string, string];
  readonly optional: string;
  readonly submit: string;
  /** The same button after a rating was sent. */
  readonly send: string;
  readonly sending: string;
  readonly anonymous: string;
  readonly privacy: string;
  /** Above the contact fields. {business} */
  readonly contactHint: string;
  readonly name: string;
  readonly phone: string;
  readonly email: string;
  /** Shown at a field that was filled in before, whose content isn't shown again. */
  readonly leftNote: string;
  readonly leftName: string;
  readonly leftPhone: string;
  readonly leftEmail: string;
  /** The remaining characters. {count} */
  readonly room: string;
  /** The characters beyond the limit. {count} */
  readonly beyond: string;

  readonly chooseFace: string;
  readonly fillIn: string;
  /** {count} */
  readonly tooLong: PluralText;
  readonly noContact: string;
  readonly badEmail: string;
  readonly badPhone: string;
  /** An error that the page didn't expect. */
  readonly badField: string;

  /** Below the faces before a tap. */
  readonly hint: string;
  readonly saved: string;
  /** The rating arrived, but not the text that was typed since. */
  readonly unsent: string;
  readonly unsentKept: string;
  readonly unsentAway: string;
  readonly kept: string;
  readonly away: string;
  readonly held: string;
  readonly delivered: string;
  /** An answer of an earlier visit was sent. */
  readonly earlier: string;
  readonly newVisit: string;
  readonly savedAsNew: string;
  readonly notSaved: string;
  readonly refused: string;
  readonly closed: string;

  /** {place} */
  readonly teamSees: string;
  /** {place} */
  readonly teamReplies: string;
  readonly closePage: string;
  readonly keepOpen: string;
  readonly change: string;
  /** The button that opens a private page, and the sentence below it. */
  readonly answer: string;
  readonly answerMore: string;
  readonly next: string;
  readonly tellOthers: string;
  /** Labels of buttons. Yelp forbids asking for reviews, so its label doesn't. */
  readonly reviews: Readonly<Record<ReviewService, string>>;
  /** Read aloud after a review link. {host} */
  readonly opensIn: string;
  readonly test: string;
  /** Names the switch between languages. */
  readonly language: string;
}

/** The words of pages that need no script. */
interface MessageWords {
  /** The title of a page whose data is late. */
  readonly feedback: string;
  readonly loading: string;
  /** The title of the last page. */
  readonly thanks: string;
  readonly closedMore: string;
  readonly unavailable: string;
  readonly unavailableMore: string;
  readonly tryAgain: string;
}

/** The words that only a kiosk shows. */
interface KioskWords {
  /** The request to rate. */
  readonly touch: string;
  /** Above the code of a review service. */
  readonly scan: string;
}

/** The words of a visitor's private page (docs/decisions/0015-replies-and-rights.md), and of the mail about it. */
interface ConversationWords {
  /** {place} */
  readonly title: string;
  readonly lead: string;
  readonly keep: string;
  readonly answerHere: string;
  /** {date} */
  readonly keepMore: string;
  readonly copy: string;
  readonly copied: string;
  readonly share: string;
  readonly scan: string;
  readonly feedback: string;
  readonly you: string;
  readonly nothing: string;
  /** {place} */
  readonly notOffered: string;
  /** {place} */
  readonly write: string;
  /** {place} */
  readonly sent: string;
  readonly busy: string;
  readonly full: string;
  /** {place} */
  readonly ended: string;
  readonly gone: string;
  readonly goneMore: string;
  readonly report: string;
  /** {business} */
  readonly reportMore: string;
  /** {business} */
  readonly reported: string;
  readonly correct: string;
  readonly save: string;
  readonly saved: string;
  readonly erase: string;
  readonly eraseMore: string;
  readonly erased: string;
  /** {place} */
  readonly mailTitle: string;
  readonly mailOpen: string;
  /** {place} */
  readonly mailWhy: string;
}

/** The words of a property's privacy page (docs/decisions/0015-replies-and-rights.md). */
interface PrivacyWords {
  /** {place} */
  readonly title: string;
  /** {business} */
  readonly lead: string;
  readonly stored: string;
  readonly rating: string;
  readonly contact: string;
  readonly order: string;
  /** {business} */
  readonly technical: string;
  readonly network: string;
  readonly device: string;
  readonly none: string;
  readonly readers: string;
  /** {business} */
  readonly team: string;
  /** Names of review sites. {services} */
  readonly reviews: string;
  /** The link to the policy of the operator. */
  readonly operator: string;
  readonly period: string;
  /** A number of months. {period} */
  readonly months: string;
  /** {business} */
  readonly unlimited: string;
  readonly rights: string;
  /** The label of the button that opens a private page. {answer} */
  readonly change: string;
  /** An address. {email} */
  readonly ask: string;
  /** {business} */
  readonly askTeam: string;
}

/** The words of an email that asks for feedback, and of the page that ends such emails (docs/decisions/0016-requests-and-order-numbers.md). */
interface RequestWords {
  /** {place} */
  readonly title: string;
  /** {name} */
  readonly greeting: string;
  readonly lead: string;
  /** In the reminder, above the lead. */
  readonly reminder: string;
  /** {business} and {place} */
  readonly why: string;
  /** The link to the page, and the page's button. */
  readonly stop: string;
  readonly stopTitle: string;
  /** {business} */
  readonly stopMore: string;
  readonly stopped: string;
  /** {business} */
  readonly stoppedMore: string;
  /** The button that undoes it. */
  readonly resume: string;
  readonly resumed: string;
  /** {business} */
  readonly resumedMore: string;
  readonly brokenLink: string;
  readonly brokenLinkMore: string;
}

/** The texts of a new property's form (docs/rules.md#default-form). */
export interface StandardTexts {
  readonly question: string;
  readonly rating: string;
  readonly more: string;
  readonly bad: string;
  readonly okay: string;
  readonly good: string;
  readonly contact: string;
  readonly no: string;
  readonly yes: string;
  readonly sorry: string;
  readonly apology: string;
  readonly thanks: string;
  readonly thanksMore: string;
  readonly spread: string;
  readonly spreadMore: string;
  readonly review: string;
}

export interface FormWords {
  readonly tag: LanguageTag;
  readonly page: PageWords;
  readonly messages: MessageWords;
  readonly kiosk: KioskWords;
  readonly conversation: ConversationWords;
  readonly privacy: PrivacyWords;
  readonly request: RequestWords;
  readonly standard: StandardTexts;
}

/** Returns a text with its names in braces filled in. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (brace, name: string) => values[name] ?? brace);

/** Returns a count in a language's own digits and separators. */
export const countIn = (tag: string, count: number): string => new Intl.NumberFormat(tag).format(count);

/** Returns the form of a text for a count, filled in. */
export function pluralIn(tag: string, text: PluralText, count: number): string {
  return filled(text[new Intl.PluralRules(tag).select(count)] ?? text.other, { count: countIn(tag, count) });
}
