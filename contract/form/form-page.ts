import type { BrandLook } from '../brand/look.ts';
import { contactFormatProblems, contactProblems } from '../core/contact.ts';
import type { ContactAnswer, Response } from '../feedback/feedback.ts';
import { MAX_TEXT, type Rating } from '../feedback/rating.ts';
import type { LanguageTag } from '../language/languages.ts';
import type { TranslatedForm } from '../language/texts.ts';
import { type PageWords, pluralIn } from '../language/words.ts';
import type { Block, ReviewInvitation, Step } from './form.ts';
import type { ReviewService } from './review.ts';

/* The contract between the server and the form's page: its props, its addresses, the names of its native fields. */

/** The props of the first render, the same on the server and in the browser that hydrates it. */
export interface FormProps {
  readonly formId: string;
  /** The form's version on the page. Answers name it, however long the page stays open. */
  readonly version: number;
  /** The idempotency key of the submission, which also allows amending it. The server creates one for each opened page. */
  readonly submissionKey: string;
  /** The account's name. */
  readonly business: string;
  /** The property's name. */
  readonly place: string;
  readonly look?: BrandLook | undefined;
  readonly steps: readonly Step[];
  readonly inviteToReview: ReviewInvitation;
  readonly language: LanguageTag;
  /** The page's own words, in its language. */
  readonly words: PageWords;
  /** The label of the button that opens the visitor's private page without asking for an answer, if the property offers none. */
  readonly privatePage?: string | undefined;
  /** The languages that the form offers, with their names. */
  readonly languages: readonly OfferedLanguage[];
  readonly screen: 'experience' | 'done';
  /** The values in the fields: the rating, and what was typed but isn't accepted yet. */
  readonly given: readonly Response[];
  /** Names of the text and contact fields that were accepted; the page mentions them without their values (docs/rules.md#what-was-left). */
  readonly left: readonly string[];
  /** When the key's submission was created (UTC ms); undefined while there is none. */
  readonly since?: number | undefined;
  /** True if a teammate tries the form; shown on the page and sent with the answers (docs/rules.md#test-answers). */
  readonly test?: true | undefined;
  /** True in a frame of another site's page, where links to other pages open in a new tab. */
  readonly embed?: true | undefined;
  /** True if the page's own script runs, so that URLs need no key. */
  readonly hasScript?: boolean;
  /** Error messages by field name. */
  readonly errors: Readonly<Record<string, string>>;
  /** A sentence about the whole form, such as that saving failed. */
  readonly notice?: NoticeName | undefined;
}

interface OfferedLanguage {
  readonly tag: LanguageTag;
  readonly name: string;
}

/** The tone of each sentence about the whole form: something arrived, something is pending, or neither. */
export const NOTICE_TONES = {
  ...{ saved: 'good', delivered: 'good', earlier: 'good', savedAsNew: 'good' },
  ...{ unsent: 'wait', unsentKept: 'wait', unsentAway: 'wait', kept: 'wait', away: 'wait', held: 'wait' },
  ...{ notSaved: 'wait', refused: 'wait', closed: 'wait' },
  ...{ hint: 'plain', newVisit: 'plain' },
} as const;
export type NoticeName = keyof typeof NOTICE_TONES;

/* ── The preview: the same screens in a frame of the dashboard, which saves nothing (docs/decisions/0008-working-on-feedback.md) ── */

/** The dashboard's message to the preview after each change. */
export interface FormPreview {
  /** The steps are as written; the preview translates them. */
  readonly props: Omit<FormProps, 'words' | 'privatePage' | 'languages'>;
  /** False if visitors can't ask for a private answer. */
  readonly privateReplies?: false | undefined;
  /** The language of the steps, and their translations. */
  readonly written: Pick<TranslatedForm, 'language' | 'translations'>;
  readonly theme: 'light' | 'dark';
}

/** The preview's message to the dashboard: it is ready, or someone chose a face or language, submitted or started over. */
export interface PreviewStep {
  readonly preview: 'ready' | 'step';
  readonly rating?: Rating | undefined;
  readonly screen: FormProps['screen'];
  /** The language that was chosen, if one was. */
  readonly language?: LanguageTag;
}

/** The form's React program, as built for the server. */
export interface FormBundle {
  /** Returns the form's markup, with the props for hydration. */
  renderForm(props: FormProps): string;
  /** The face of a page without an answer, such as a closed form's. */
  readonly FACE: string;
  /** The page's whole style. */
  readonly CSS: string;
  /** The inline script that sends a tapped rating before React has loaded. */
  readonly EARLY_SCRIPT: string;
  /** The inline script that sets this device's theme, and hides a visit that is continued, before anything is painted. */
  readonly HEAD_SCRIPT: string;
  /** Returns the logo or name of the business, and the name of the place, as markup. */
  renderPlace(props: Pick<FormProps, 'business' | 'place' | 'look'>): string;
  /** The style of a visitor's private page, besides the form's. */
  readonly CONVERSATION_CSS: string;
  /** The style and inline script of a page in another site's frame. */
  readonly EMBED_CSS: string;
  readonly EMBED_SCRIPT: string;
  /** The inline script of a page that was opened from a face in a mail. */
  readonly MAIL_SCRIPT: string;
}

/* ── Addresses ── */

const base = (formId: string): string => `/feedback/${formId}`;
/** The optional parts of a form's URL: the placement of its code, whether the form is only tried, and a signed order number. */
export interface Origin {
  /** The placement's id without its prefix. */
  readonly at?: string | undefined;
  readonly test?: true | undefined;
  /** The visitor's order number with its signature. */
  readonly ref?: string | undefined;
}
export const originOf = ({ at, test, ref }: Origin): Origin => ({ at, test, ref });
/* Only URLs for pages without script contain a key; with one, a page shows at most the rating. */
const withKey = (path: string, { submissionKey, language, embed }: KeyedPage, screen = ''): string =>
  `${path}?key=${encodeURIComponent(submissionKey)}${screen && `&screen=${screen}`}${language ? `&${LANGUAGE_FIELD}=${language}` : ''}${embed ? `&${EMBED_FIELD}=1` : ''}`;

/** A link to a form, with its language, the face that it chooses and the key of its answer. */
export interface FormLink extends Omit<Origin, 'ref'> {
  readonly language?: LanguageTag | undefined;
  readonly rating?: Rating | undefined;
  readonly visit?: string | undefined;
}

/** Returns a form's URL, or that of a placement's code. */
export function formPath(formId: string, { at, test, language, rating, visit }: FormLink = {}): string {
  const fields = { [RATING_FIELD]: rating, [AT_FIELD]: at, [TEST_FIELD]: test && 1, [LANGUAGE_FIELD]: language, [VISIT_FIELD]: visit };
  const query = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`));
  return base(formId) + (query.length > 0 ? `?${query.join('&')}` : '');
}
/** A visit without script, whose key and language are in its addresses. */
type KeyedPage = Pick<FormProps, 'submissionKey' | 'embed'> & { readonly language?: LanguageTag | undefined };
/** Returns the URL of the first step with the rating of this key. */
export const answersPath = (formId: string, page: KeyedPage): string => withKey(base(formId), page);
export const donePath = (formId: string, page: KeyedPage): string => withKey(base(formId), page, 'done');
/** Returns the same URL for an amendment that came too late. */
export const doneAsNewPath = (formId: string, page: KeyedPage): string => withKey(base(formId), page, 'anew');
/** Returns the address to which a form's last page posts the key, to ask for an answer on a private page. */
export const conversationPath = (formId: string): string => `${base(formId)}/reply`;
/** Returns the address to which it posts the key to open a private page without asking, to correct or delete the answer. */
export const rightsPath = (formId: string): string => `${base(formId)}/rights`;
/** The page that the dashboard frames to preview a form. */
export const PREVIEW_PATH = '/form-preview';
/** The worker that opens forms without a network, and the addresses that it handles. */
export const FORM_WORKER = '/form-worker.js';
export const FORM_SCOPE = '/feedback/';
/** The script that shows forms in another site's pages. */
export const EMBED_SCRIPT_PATH = '/embed.js';
/** The message of a framed form to the page around it: its height in CSS pixels, or that Escape was pressed. */
export interface EmbedMessage {
  readonly afterword: number | 'close';
}
/** Returns the URL of a property's privacy page. */
export const privacyPath = (formId: string, language?: LanguageTag): string =>
  `${base(formId)}/privacy${language ? `?${LANGUAGE_FIELD}=${language}` : ''}`;
/** The installation's privacy page. */
export const PRIVACY_PATH = '/privacy';
/** Returns the URL that redirects to a review service. With a key, the visitor's click is recorded. */
export const reviewPath = (formId: string, service: ReviewService): string => `${base(formId)}/review/${service}`;
export const countedReviewPath = (formId: string, service: ReviewService, submissionKey: string): string =>
  withKey(reviewPath(formId, service), { submissionKey });

/* ── Native fields ── */

/** Names of native fields. A block's field has the block's uuid as its name, a contact's parts a suffix. */
export const KEY_FIELD = 'key';
export const VERSION_FIELD = 'version';
/** When the answers were last changed, by the device's clock (docs/rules.md#amending). */
export const CHANGED_FIELD = 'changed';
/** Sent if the page's own script runs. */
export const SCRIPT_FIELD = 'script';
/** The business's id for a visitor, in the form's URL and in its posts (docs/rules.md#visitors-id). */
export const USER_ID_FIELD = 'userId';
/** The placement whose code was scanned, in the form's URL and in its posts. Short, because a QR code contains it. */
export const AT_FIELD = 'at';
/** A signed order number, in the form's URL and in its posts (docs/rules.md#order-numbers). */
export const REF_FIELD = 'ref';
/** `1` if a teammate tries the form. */
export const TEST_FIELD = 'test';
/** The language that was chosen, in the form's URL, and the page's language in its posts. */
export const LANGUAGE_FIELD = 'lang';
/** `1` in the URL of a form in another site's frame. */
export const EMBED_FIELD = 'embed';
/** The theme of the page around a frame, in the URL of a framed form. */
export const THEME_FIELD = 'theme';
/** The face that was chosen in a mail, in the form's URL. */
export const RATING_FIELD = 'rating';
/** The key of the answer, in the form's URL in a feedback request. */
export const VISIT_FIELD = 'visit';
export type ContactPart = 'name' | 'phone' | 'email';
const CONTACT_PARTS: readonly ContactPart[] = ['name', 'phone', 'email'];
export const contactField = (block: Pick<Block, 'uuid'>, part: ContactPart): string => `${block.uuid}.${part}`;

/** A response as typed, not checked yet. */
export interface Draft {
  readonly uuid: string;
  readonly block: string;
  readonly response: unknown;
}

/** Returns the value of a native field; undefined if the form has no such field. */
type ReadField = (name: string) => string | undefined;

/** Returns the answers in a filled-in form, without missing blocks and without empty fields that were filled in before. */
export function draftsOf(blocks: readonly Block[], read: ReadField, left: readonly string[]): Draft[] {
  return blocks.flatMap((block) => {
    const response = responseOf(block, read);
    const isUnchanged = response === '' && left.includes(block.uuid);
    return response === undefined || isUnchanged ? [] : [{ uuid: block.uuid, block: block.blockType, response }];
  });
}

function responseOf(block: Block, read: ReadField): unknown {
  const value = read(block.uuid);
  if (value === undefined) return undefined;
  if (block.blockType === 'EmojiGauge') return value === '' ? undefined : Number(value);
  // Browsers send line ends as CR LF; people typed one character.
  if (block.blockType === 'OpenText') return value.replaceAll('\r\n', '\n');
  if (block.blockType === 'ContactMe') return contactOf(block, value, read);
  return undefined;
}

/** Returns a contact answer from the native fields. A No has no contact details, whatever the hidden fields contain. */
function contactOf(block: Block, answer: string, read: ReadField): Record<string, string> {
  if (answer !== 'Yes') return { answer };
  const parts = CONTACT_PARTS.map((part) => [part, read(contactField(block, part))?.trim() ?? '']).filter(([, value]) => value !== '');
  return { answer, ...Object.fromEntries(parts) };
}

/** Returns the names of the filled-in fields after these answers are accepted. */
export function leftFieldsAfter(before: readonly string[], drafts: readonly Draft[]): string[] {
  const left = new Set(before);
  for (const { uuid, block, response } of drafts) {
    if (block === 'OpenText' && String(response).trim() !== '') left.add(uuid);
    if (block !== 'ContactMe') continue;
    // Made by `draftsOf`, or checked by the contract.
    const contact = response as ContactAnswer;
    for (const part of CONTACT_PARTS) {
      if (contact.answer === 'No') left.delete(contactField({ uuid }, part));
      else if (contact[part]?.trim()) left.add(contactField({ uuid }, part));
      else if (contact[part] !== undefined) left.delete(contactField({ uuid }, part));
    }
  }
  return [...left];
}

/** Returns whether a visitor left a phone number or an email. */
export const isReachable = (block: Pick<Block, 'uuid'>, left: readonly string[]): boolean =>
  left.includes(contactField(block, 'phone')) || left.includes(contactField(block, 'email'));

/** Returns the field that an error's path (`payload.data.responses.1.response.email`) points to. */
export function fieldOfPath(path: string, drafts: readonly Draft[]): string | undefined {
  const [, index, part] = /^payload\.data\.responses(?:\.(\d+)(?:\.response(?:\.(\w+))?)?)?/.exec(path) ?? [];
  const draft = index === undefined ? undefined : drafts[Number(index)];
  if (!draft) return undefined;
  return part === undefined || part === 'answer' ? draft.uuid : `${draft.uuid}.${part}`;
}

type ResponseByBlock = { [Answer in Response as Answer['block']]: Answer['response'] };

/** Returns the earlier answer to a block of a type, if any. */
export function answerTo<Type extends keyof ResponseByBlock>(given: readonly Response[], type: Type): ResponseByBlock[Type] | undefined {
  // The compiler doesn't narrow by a discriminant through a type parameter.
  return given.find(({ block }) => block === type)?.response as ResponseByBlock[Type] | undefined;
}

/** What to check a form's fields against, and the language of what is wrong. */
type CheckedForm = Pick<FormProps, 'left' | 'language' | 'words'>;

/** Returns what a visitor has to fix before the step is done, by field, so that nothing is stored that the server would refuse. */
export function problemsOf(
  blocks: readonly Block[],
  drafts: readonly Draft[],
  { left, language, words }: CheckedForm,
): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const block of blocks) {
    const response = drafts.find(({ uuid }) => uuid === block.uuid)?.response;
    if (block.blockType === 'EmojiGauge' && response === undefined) problems[block.uuid] = words.chooseFace;
    if (block.blockType === 'OpenText') {
      const text = String(response ?? '');
      if (block.required && !left.includes(block.uuid) && !text.trim()) problems[block.uuid] = words.fillIn;
      if (text.length > MAX_TEXT) problems[block.uuid] = pluralIn(language, words.tooLong, text.length - MAX_TEXT);
    }
    if (block.blockType === 'ContactMe' && response) {
      const problemsIn = isReachable(block, left) ? contactFormatProblems : contactProblems;
      // Made by `draftsOf`, which gives a contact's answer this shape.
      for (const { field, problem } of problemsIn(response as ContactAnswer)) problems[contactField(block, field)] = words[problem];
    }
  }
  return problems;
}

/** Returns whether a draft is the rating. */
export const isRating = ({ block }: Pick<Draft, 'block'>): boolean => block === 'EmojiGauge';

/** Returns the drafts of blocks without a problem. */
export const validDrafts = (drafts: readonly Draft[], problems: Readonly<Record<string, string>>): Draft[] =>
  drafts.filter(({ uuid }) => !Object.keys(problems).some((field) => field.startsWith(uuid)));
