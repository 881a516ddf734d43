import * as v from 'valibot';
import { accountIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { okOrNotFound, text } from '../core/schema.ts';
import { event, noData } from '../event/event.ts';
import { picture } from '../user/user.ts';
import { HEX_COLOR } from './colors.ts';
import { type BrandLook, CORNERS, DEFAULT_CORNERS } from './look.ts';

/* How the pages of a business look to its visitors (docs/decisions/0014-kiosks-and-brand.md). */

/** The most characters of a logo's data URL, because it is in the first response of a form. @limit logos */
export const LARGEST_LOGO = 3_072;
export const LONGEST_ALT = 80;

const accent = v.pipe(v.string(), v.trim(), v.toLowerCase(), v.regex(HEX_COLOR, 'Enter a color such as #0a5563'));
const alt = v.pipe(text(LONGEST_ALT), v.trim(), v.nonEmpty('Describe the logo for those who can’t see it'));
const corners = v.picklist(CORNERS);

/** What visitors see of a brand. */
export const look = v.strictObject({
  accent: v.optional(v.string()),
  corners,
  logo: v.optional(v.strictObject({ picture: v.string(), width: v.number(), height: v.number(), alt: v.string() })),
});

/** An account's brand. `gs1sk` is the account's id (docs/rules.md#envelope). */
const brand = v.strictObject({ id: accountIdSchema, sk: v.literal('BRAND'), gs1sk: accountIdSchema, data: look });
export type Brand = v.InferOutput<typeof brand>;

/** The brand of an account that has set none. */
export const NO_BRAND: BrandLook = { corners: DEFAULT_CORNERS };

/** An admin's changes; what is left out stays, and null removes it. */
export const brandChanges = v.strictObject({
  accent: v.optional(v.nullable(accent)),
  corners: v.optional(corners),
  /** A new picture, or another description of the current one. */
  logo: v.optional(v.nullable(v.strictObject({ picture: v.optional(picture), alt }))),
});
export type BrandChanges = v.InferOutput<typeof brandChanges>;

/** The most logos that an account may upload in an hour. @limit logos */
export const MOST_LOGOS = 20;

export const brandOperations = {
  get: operation({
    access: 'member',
    whileEnded: true,
    summary: 'Get the brand of the account: its logo, accent color and corners.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: okOrNotFound({ brand }),
  }),
  save: operation({
    access: 'admin',
    summary: 'Change the brand of the account. A logo is drawn again, at most 3 kB large.',
    refusals: {
      'too-many': `At most ${MOST_LOGOS} logos an hour, one at a time.`,
      overloaded: 'Too many pictures are waiting to be processed.',
    },
    input: v.strictObject({ payload: v.strictObject({ id: accountIdSchema, data: brandChanges }) }),
    answer: okOrNotFound({ brand }),
  }),
};

export const brandExamples: Examples<typeof brandOperations> = {
  get: ({ accountId }) => ({ accountId }),
  save: ({ accountId }) => ({ payload: { id: accountId, data: { accent: '#0a5563', corners: 'round' } } }),
};

export const brandEvents = {
  'brand.changed': event({ seenBy: 'member', summary: 'The account’s brand was changed.', data: noData }),
};
