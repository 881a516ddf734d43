import * as v from 'valibot';
import { look } from '../brand/brand.ts';
import { accountIdSchema, formIdSchema, idempotencyKey, propertyIdSchema, toolIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { okOrNotFound, text, uuid } from '../core/schema.ts';
import { MINUTE } from '../core/time.ts';
import { event } from '../event/event.ts';
import { response } from '../feedback/feedback.ts';
import { REVIEW_INVITATIONS } from '../form/form.ts';
import { REVIEW_SERVICES } from '../form/review.ts';
import { gaugeOf } from '../form/steps.ts';
import { LANGUAGE_TAGS } from '../language/languages.ts';
import { MOST_TOOLS, placementName } from '../tool/tool.ts';
import { chosenHours, DEFAULT_HOURS, openingHours } from './hours.ts';
import { MOST_DELIVERED } from './kiosk-page.ts';

/* Kiosks: tablets that collect ratings without anyone's attention (docs/decisions/0014-kiosks-and-brand.md). */

/** How long a pairing code is valid (ms). @limit kiosks */
export const PAIRING_LIFETIME = 15 * MINUTE;
/** The longest time in which further taps count as one (seconds). */
export const LONGEST_REPEAT = 60;

/** A kiosk, whose id is that of its placement. `gs1sk` is the property's id (docs/rules.md#envelope). */
const kiosk = v.strictObject({
  id: toolIdSchema,
  sk: v.literal('KIOSK'),
  gs1sk: propertyIdSchema,
  data: v.strictObject({
    accountId: accountIdSchema,
    propertyId: propertyIdSchema,
    displayName: v.string(),
    created: v.number(),
    hours: openingHours,
    /** Shown instead of the form's thanks. */
    thanks: v.optional(v.string()),
    /** Seconds after a tap in which further taps aren't counted. 0: all are. */
    repeatWithin: v.number(),
    /** When its tablet was paired (UTC ms); undefined without one. */
    paired: v.optional(v.number()),
    /** When it reported last (UTC ms). */
    seen: v.optional(v.number()),
    /** The answers that waited on it then. */
    waiting: v.optional(v.number()),
    /** The version that it ran then. */
    version: v.optional(v.string()),
    /** Since when it has been silent during opening hours (UTC ms). */
    silent: v.optional(v.number()),
  }),
});
export type Kiosk = v.InferOutput<typeof kiosk>;

/** The number that leaves the kiosk. */
export const kioskPin = v.pipe(v.string(), v.regex(/^\d{4,8}$/, 'Enter 4 to 8 digits'));
const LONGEST_THANKS = 120;
export const kioskThanks = v.pipe(text(LONGEST_THANKS), v.trim());
const SECONDS = `Enter 0 to ${LONGEST_REPEAT} seconds`;
export const repeatWithin = v.pipe(v.number(SECONDS), v.integer(SECONDS), v.minValue(0, SECONDS), v.maxValue(LONGEST_REPEAT, SECONDS));
export const DEFAULT_REPEAT = 5;

const newKiosk = v.strictObject({
  propertyId: propertyIdSchema,
  displayName: placementName,
  pin: kioskPin,
  hours: v.optional(chosenHours, [...DEFAULT_HOURS]),
  thanks: v.optional(kioskThanks),
  repeatWithin: v.optional(repeatWithin, DEFAULT_REPEAT),
});
const kioskChanges = v.strictObject({
  displayName: v.optional(placementName),
  pin: v.optional(kioskPin),
  hours: v.optional(chosenHours),
  /** An empty text removes it. */
  thanks: v.optional(kioskThanks),
  repeatWithin: v.optional(repeatWithin),
});
export type KioskChanges = v.InferOutput<typeof kioskChanges>;

/** Easy to read aloud and type: without 0, 1, I, L, O and U. */
export const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
export const CODE_LENGTH = 8;
const CODE = new RegExp(`^[${CODE_ALPHABET}]{${CODE_LENGTH}}$`);

/** A pairing code as typed, in any case, with or without a dash or spaces. */
const pairingCode = v.pipe(
  v.string(),
  v.maxLength(40),
  v.transform((typed) => typed.replace(/[\s-]/g, '').toUpperCase()),
  v.regex(CODE, `Enter the ${CODE_LENGTH} characters shown in the dashboard`),
);

/** Returns a code in two groups, as it is shown. */
export const shownCode = (code: string): string => `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;

/** The account's id, because a token is looked up within its account, and 256 random bits. */
const kioskToken = v.pipe(v.string(), v.regex(/^ACCOUNT_[A-Za-z0-9]{4,40}\.[A-Za-z0-9_-]{43}$/, 'Send the token of a paired kiosk'));

/* ── What a kiosk shows ── */

const titled = v.strictObject({ title: v.string(), subtitle: v.optional(v.string()) });

const kioskWords = v.strictObject({
  ratings: v.array(v.string()),
  touch: v.string(),
  optional: v.string(),
  send: v.string(),
  next: v.string(),
  scan: v.string(),
  tellOthers: v.string(),
  reviews: v.record(v.picklist(REVIEW_SERVICES), v.string()),
  notSaved: v.string(),
  closed: v.string(),
  language: v.string(),
});

/** A kiosk's texts in one language. */
const kioskLanguage = v.strictObject({
  tag: v.picklist(LANGUAGE_TAGS),
  name: v.string(),
  question: v.string(),
  /** The question for words after a rating. Undefined if the form has none. */
  more: v.optional(v.strictObject({ bad: v.string(), okay: v.string(), good: v.string() })),
  sorry: titled,
  thanks: titled,
  review: titled,
  words: kioskWords,
});
export type KioskLanguage = v.InferOutput<typeof kioskLanguage>;

/** Everything that a kiosk shows and needs without a network. */
const kioskContent = v.strictObject({
  kioskId: toolIdSchema,
  name: v.string(),
  place: v.string(),
  formId: formIdSchema,
  formVersion: v.number(),
  /** The uuids of the rating and of the question for words. */
  gauge: uuid,
  text: v.optional(uuid),
  /** The form's own language, to which the kiosk returns. */
  language: v.picklist(LANGUAGE_TAGS),
  languages: v.array(kioskLanguage),
  inviteToReview: v.picklist(REVIEW_INVITATIONS),
  /** The review services, with the path that a visitor's phone opens. */
  services: v.array(v.strictObject({ name: v.picklist(REVIEW_SERVICES), path: v.string() })),
  repeatWithin: v.number(),
  look,
  /** SHA-256 of the kiosk's id and its PIN, in hexadecimal. */
  pinHash: v.string(),
  /** True while the form is closed. */
  isClosed: v.optional(v.literal(true)),
});
export type KioskContent = v.InferOutput<typeof kioskContent>;

/** Identifies a content, so that it is sent only if it has changed. */
const revision = v.pipe(v.string(), v.maxLength(64));

/** An answer from a kiosk. Its responses are a rating and optional words. */
const kioskAnswer = v.strictObject({
  key: idempotencyKey,
  /** How long ago it was given (ms). */
  age: v.pipe(v.number(), v.minValue(0)),
  formId: formIdSchema,
  formVersion: v.pipe(v.number(), v.integer(), v.minValue(1)),
  language: v.picklist(LANGUAGE_TAGS),
  responses: v.pipe(v.array(response), v.minLength(1), v.maxLength(2)),
  /** True if it follows another within the kiosk's interval. It is stored as suspected. */
  isRepeat: v.optional(v.literal(true)),
});
export type KioskAnswer = v.InferOutput<typeof kioskAnswer>;

const GONE = { 'kiosk-gone': 'The kiosk was revoked or paired again, or it or its property was deleted.' } as const;

export const kioskOperations = {
  save: operation({
    access: 'admin',
    summary: 'Add a kiosk to a property, or change one by its id.',
    refusals: { conflict: `The property already has ${MOST_TOOLS} placements.` },
    input: v.strictObject({
      payload: v.variant('id', [
        v.strictObject({ id: v.optional(v.undefined()), data: newKiosk }),
        v.strictObject({ id: toolIdSchema, data: kioskChanges }),
      ]),
    }),
    answer: okOrNotFound({ kiosk }),
  }),
  list: operation({
    access: 'member',
    whileEnded: true,
    summary: 'List the kiosks of a property, or of the whole account, by name.',
    input: v.strictObject({ accountId: accountIdSchema, propertyId: v.optional(propertyIdSchema) }),
    answer: okOrNotFound({ kiosks: v.array(kiosk) }),
  }),
  startPairing: operation({
    access: 'admin',
    summary: 'Create a code that pairs a tablet with a kiosk within 15 minutes, once.',
    input: v.strictObject({ kioskId: toolIdSchema }),
    answer: okOrNotFound({ code: v.string(), until: v.number() }),
  }),
  revoke: operation({
    access: 'admin',
    summary: 'Revoke the access of a kiosk’s tablet, such as a stolen one.',
    input: v.strictObject({ kioskId: toolIdSchema }),
    answer: okOrNotFound({ kiosk }),
  }),
  pair: operation({
    access: 'visitor',
    summary: 'Pair a tablet by the code shown to an admin. Returns the kiosk’s token and what it shows.',
    input: v.strictObject({ code: pairingCode }),
    answer: okOrNotFound({ token: v.string(), content: kioskContent, revision }),
  }),
  report: operation({
    access: 'visitor',
    summary: 'Report that a kiosk works, and get what it shows if that has changed.',
    refusals: GONE,
    input: v.strictObject({
      token: kioskToken,
      waiting: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)),
      version: v.pipe(v.string(), v.maxLength(40)),
      revision: v.optional(revision),
    }),
    answer: okOrNotFound({
      /** The newest version of the page. */
      version: v.string(),
      changed: v.optional(v.strictObject({ content: kioskContent, revision })),
    }),
  }),
  deliver: operation({
    access: 'visitor',
    summary: 'Deliver a kiosk’s answers, oldest first. Responds once they are on disk. Repeating it changes nothing.',
    refusals: GONE,
    input: v.strictObject({
      token: kioskToken,
      answers: v.pipe(v.array(kioskAnswer), v.minLength(1), v.maxLength(MOST_DELIVERED)),
    }),
    /** The keys of answers that can never be stored, such as those to a deleted form. */
    answer: okOrNotFound({ refused: v.array(v.string()) }),
  }),
  leave: operation({
    access: 'visitor',
    summary: 'End the pairing of the tablet with this token.',
    refusals: GONE,
    input: v.strictObject({ token: kioskToken }),
    answer: okOrNotFound({}),
  }),
};

declare module '../core/operation.ts' {
  interface ExampleSubjects {
    readonly kioskId: string;
    readonly pairingCode: string;
    /** The token of a paired tablet. */
    readonly kioskToken: string;
  }
}

export const kioskExamples: Examples<typeof kioskOperations> = {
  save: ({ propertyId, unused }) => ({ payload: { data: { propertyId, displayName: `Exit ${unused.slice(0, 8)}`, pin: '2580' } } }),
  list: ({ accountId, propertyId }) => ({ accountId, propertyId }),
  startPairing: ({ kioskId }) => ({ kioskId }),
  revoke: ({ kioskId }) => ({ kioskId }),
  pair: ({ pairingCode: code }) => ({ code }),
  report: ({ kioskToken: token }) => ({ token, waiting: 0, version: 'a1b2c3' }),
  deliver: ({ kioskToken: token, form, unused: key }) => {
    const responses = [{ uuid: gaugeOf(form.data.steps).uuid, block: 'EmojiGauge' as const, response: 5 as const }];
    return { token, answers: [{ key, age: 4_000, formId: form.id, formVersion: form.data.version, language: 'en', responses }] };
  },
  leave: ({ kioskToken: token }) => ({ token }),
};

const ofProperty = { propertyId: propertyIdSchema };

export const kioskEvents = {
  'kiosk.created': event({ seenBy: 'member', summary: 'A kiosk was added.', data: v.strictObject(ofProperty) }),
  'kiosk.changed': event({ seenBy: 'member', summary: 'A kiosk’s settings were changed.', data: v.strictObject(ofProperty) }),
  'kiosk.paired': event({ seenBy: 'member', summary: 'A tablet was paired with a kiosk.', data: v.strictObject(ofProperty) }),
  'kiosk.revoked': event({
    seenBy: 'member',
    summary: 'A kiosk’s tablet lost its access: it was revoked, or left.',
    data: v.strictObject(ofProperty),
  }),
  'kiosk.silent': event({
    seenBy: 'member',
    summary: 'A kiosk didn’t report for 15 minutes during its opening hours.',
    data: v.strictObject(ofProperty),
  }),
  'kiosk.back': event({ seenBy: 'member', summary: 'A silent kiosk reported again.', data: v.strictObject(ofProperty) }),
};
