import { contactFormatProblems, contactProblems } from '../core/contact.ts';
import type { ContactAnswer, Response } from '../feedback/feedback.ts';
import { MAX_TEXT, type Rating } from '../feedback/rating.ts';
import type { Block, ReviewInvitation, Step } from './form.ts';
import type { ReviewService } from './review.ts';

/* The contract between the server and the form's page: its props, its addresses, the names of its native fields. */

/** What the page shows first: the same for the server that renders it and the browser that takes it over. */
export interface FormProps {
  readonly formId: string;
  /** The version of the form whose words are shown. Answers name it, however long the page stays open. */
  readonly version: number;
  /** The idempotency key of the submission, which also allows to amend it. The server makes one for each opened page. */
  readonly submissionKey: string;
  /** The account's name. */
  readonly business: string;
  /** The property's name. */
  readonly place: string;
  readonly steps: readonly Step[];
  readonly inviteToReview: ReviewInvitation;
  readonly screen: 'experience' | 'done';
  /** What the fields show: the rating, and what was typed and is not accepted yet. */
  readonly given: readonly Response[];
  /** Names of the fields with words and contact that were accepted: said to be there, and not shown (docs/rules.md#what-was-left). */
  readonly left: readonly string[];
  /** When the key's submission was made (UTC ms); undefined while there is none. */
  readonly since?: number | undefined;
  /** Whether somebody of the team tries the form: said on the page, and sent along (docs/rules.md#test-answers). */
  readonly test?: true | undefined;
  /** Whether the page's own script runs, so that the addresses need no key. */
  readonly hasScript?: boolean;
  /** Error messages by the name of the field. */
  readonly errors: Readonly<Record<string, string>>;
  /** A sentence about the whole form, such as that saving failed. */
  readonly notice?: FormNotice | undefined;
}

/** A sentence and how it looks: something arrived, something is still to come, or neither. */
export interface FormNotice {
  readonly text: string;
  readonly tone: 'good' | 'wait' | 'plain';
}

/** Said where an answer came too late for the one before: with script and without. */
export const SAVED_AS_NEW: FormNotice = { text: 'Saved as a new answer: your earlier one can no longer be changed.', tone: 'good' };

/* ── The preview: the same screens in a frame of the dashboard, which saves nothing (docs/decisions/0012-working-on-feedback.md) ── */

/** What the dashboard shows in the preview, each time that something changed. */
export interface FormPreview {
  readonly props: FormProps;
  readonly theme: 'light' | 'dark';
}

/** What somebody did in the preview: they chose a face, sent, or began anew. Posted to the dashboard, first when the preview is ready. */
export interface PreviewStep {
  readonly preview: 'ready' | 'step';
  readonly rating?: Rating | undefined;
  readonly screen: FormProps['screen'];
}

/** The form's React program, as it is built for the server. */
export interface FormBundle {
  /** The form's markup, with the props that the browser takes it over with. */
  renderForm(props: FormProps): string;
  /** The page's whole style. */
  readonly CSS: string;
  /** The inline script that sends a tapped rating before React has loaded. */
  readonly EARLY_SCRIPT: string;
  /** The inline script that sets this device's theme before anything is painted. */
  readonly THEME_SCRIPT: string;
}

/* ── Addresses ── */

const base = (formId: string): string => `/feedback/${formId}`;
/** What a form's address may say besides: where its code stands, and that the form is only tried. */
export interface Origin {
  /** The placement, by the letters and digits of its id. */
  readonly at?: string | undefined;
  readonly test?: true | undefined;
}
export const originOf = ({ at, test }: Origin): Origin => ({ at, test });
/* Keys stand in addresses where no script runs, and only there: with a key, a page shows the rating at most. */
const withKey = (path: string, submissionKey: string, screen = ''): string =>
  `${path}?key=${encodeURIComponent(submissionKey)}${screen && `&screen=${screen}`}`;

/** The form's own address, or that of a placement's code. */
export function formPath(formId: string, { at, test }: Origin = {}): string {
  const said = [at === undefined ? '' : `${AT_FIELD}=${at}`, test ? `${TEST_FIELD}=1` : ''].filter(Boolean).join('&');
  return base(formId) + (said && `?${said}`);
}
/** The first step with the rating of this key. */
export const answersPath = (formId: string, submissionKey: string): string => withKey(base(formId), submissionKey);
export const donePath = (formId: string, submissionKey: string): string => withKey(base(formId), submissionKey, 'done');
/** The same after an answer that came too late for the one before. */
export const doneAsNewPath = (formId: string, submissionKey: string): string => withKey(base(formId), submissionKey, 'anew');
/** The page that the dashboard frames to preview a form. */
export const PREVIEW_PATH = '/form-preview';
/** The installation's privacy page. */
export const PRIVACY_PATH = '/privacy';
/** The way out to a review service. With a key it is noted that this visitor took it. */
export const reviewPath = (formId: string, service: ReviewService): string => `${base(formId)}/review/${service}`;
export const countedReviewPath = (formId: string, service: ReviewService, submissionKey: string): string =>
  withKey(reviewPath(formId, service), submissionKey);

/* ── Native fields ── */

/** Names of native fields. A block's own field carries its uuid; a contact's parts hang on to it. */
export const KEY_FIELD = 'key';
export const VERSION_FIELD = 'version';
/** Included where the page's own script runs. */
export const SCRIPT_FIELD = 'script';
/** What a business names a visitor by in the link that it gives them: in the form's address, and in its posts (docs/rules.md#visitors-id). */
export const USER_ID_FIELD = 'userId';
/** The placement whose code was scanned: in the form's address, and in its posts. Short, because a code holds it. */
export const AT_FIELD = 'at';
/** `1` where somebody of the team tries the form. */
export const TEST_FIELD = 'test';
export type ContactPart = 'name' | 'phone' | 'email';
export const CONTACT_PARTS: readonly ContactPart[] = ['name', 'phone', 'email'];
export const contactField = (block: Pick<Block, 'uuid'>, part: ContactPart): string => `${block.uuid}.${part}`;

/** A response as typed: not checked yet. */
export interface Draft {
  readonly uuid: string;
  readonly block: string;
  readonly response: unknown;
}

/** Reads one native field; undefined where the form has none of that name. */
export type ReadField = (name: string) => string | undefined;

/** What a filled-in form answers to its blocks. Blocks that it lacks answer nothing, nor does an empty field over what was left. */
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

/** A contact answer from the native fields. A visitor who says No leaves no contact details, whatever the hidden fields hold. */
function contactOf(block: Block, answer: string, read: ReadField): Record<string, string> {
  if (answer !== 'Yes') return { answer };
  const parts = CONTACT_PARTS.map((part) => [part, read(contactField(block, part))?.trim() ?? '']).filter(([, value]) => value !== '');
  return { answer, ...Object.fromEntries(parts) };
}

/** The names of the fields that hold something once these answers were accepted, too. */
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
    }
  }
  return [...left];
}

/** Whether a visitor left a phone number or an email. */
export const isReachable = (block: Pick<Block, 'uuid'>, left: readonly string[]): boolean =>
  left.includes(contactField(block, 'phone')) || left.includes(contactField(block, 'email'));

/** The field that an error's path (`payload.data.responses.1.response.email`) points to. */
export function fieldOfPath(path: string, drafts: readonly Draft[]): string | undefined {
  const [, index, part] = /^payload\.data\.responses(?:\.(\d+)(?:\.response(?:\.(\w+))?)?)?/.exec(path) ?? [];
  const draft = index === undefined ? undefined : drafts[Number(index)];
  if (!draft) return undefined;
  return part === undefined || part === 'answer' ? draft.uuid : `${draft.uuid}.${part}`;
}

type ResponseByBlock = { [One in Response as One['block']]: One['response'] };

/** The answer given to a block of a type before, if any. */
export function answerTo<Type extends keyof ResponseByBlock>(given: readonly Response[], type: Type): ResponseByBlock[Type] | undefined {
  // The discriminant was compared; the compiler does not follow it through a type parameter.
  return given.find(({ block }) => block === type)?.response as ResponseByBlock[Type] | undefined;
}

const CHOOSE = 'Choose a face to continue';
const FILL_IN = 'Please fill this in';
const tooLong = (by: number): string =>
  `This is ${by.toLocaleString('en-US')} character${by === 1 ? '' : 's'} too long. Please shorten it; nothing is lost.`;

/** What a visitor has to fix before the step is done, by field: rules that need no server, so that nothing is kept that it would refuse. */
export function problemsOf(blocks: readonly Block[], drafts: readonly Draft[], left: readonly string[]): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const block of blocks) {
    const response = drafts.find(({ uuid }) => uuid === block.uuid)?.response;
    if (block.blockType === 'EmojiGauge' && response === undefined) problems[block.uuid] = CHOOSE;
    if (block.blockType === 'OpenText') {
      const words = String(response ?? '');
      if (block.required && !left.includes(block.uuid) && !words.trim()) problems[block.uuid] = FILL_IN;
      if (words.length > MAX_TEXT) problems[block.uuid] = tooLong(words.length - MAX_TEXT);
    }
    if (block.blockType === 'ContactMe' && response) {
      const judge = isReachable(block, left) ? contactFormatProblems : contactProblems;
      // Made by `draftsOf`, which gives a contact's answer this shape.
      for (const { field, message } of judge(response as ContactAnswer)) problems[contactField(block, field)] = message;
    }
  }
  return problems;
}

/** Whether a draft is the face that was chosen. */
export const isRating = ({ block }: Pick<Draft, 'block'>): boolean => block === 'EmojiGauge';

/** The drafts of those blocks that have no problem. */
export const validDrafts = (drafts: readonly Draft[], problems: Readonly<Record<string, string>>): Draft[] =>
  drafts.filter(({ uuid }) => !Object.keys(problems).some((field) => field.startsWith(uuid)));
