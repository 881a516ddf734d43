import * as v from 'valibot';
import { badField, type Refusal } from './errors.ts';
import { event } from './event.ts';
import { form } from './form.ts';
import { accountIdSchema, formIdSchema, propertyIdSchema, userIdSchema } from './ids.ts';
import { type Examples, operation } from './operation.ts';
import { REVIEW_SERVICES } from './review.ts';
import { found, keptReviewServices, reviewServices, text } from './schema.ts';

export const PROPERTY_TYPE = 'brick-and-mortar';
const people = v.array(userIdSchema);

/** A place that people visit. `gs1sk` is the account's id (docs/rules.md#envelope). */
export const property = v.strictObject({
  id: propertyIdSchema,
  sk: v.literal('PROPERTY'),
  gs1sk: accountIdSchema,
  data: v.strictObject({
    displayName: v.string(),
    service: keptReviewServices,
    author: v.string(),
    created: v.number(),
    propertyType: v.literal(PROPERTY_TYPE),
    accountId: accountIdSchema,
    formId: formIdSchema,
    notifications: v.strictObject({ complaints: people, weekly: people }),
  }),
});
export type Property = v.InferOutput<typeof property>;

/** A property's name is what visitors read, so it may hold any letters; the business's own name is stricter. */
export const propertyName = v.pipe(text(60, 1), v.trim(), v.nonEmpty('Please fill this in'));

/** The refusal of a name that another property of the account has: URLs name a property by its name. */
export const nameTaken = (): Refusal => badField('payload.data.displayName', 'You already have a property with this name');

export const propertyOperations = {
  list: operation({
    access: 'member',
    summary: 'Lists the properties of the account by name.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: found({ properties: v.array(property) }),
  }),
  get: operation({
    access: 'member',
    summary: 'Reads one property, named by its id or by its name, dashed and lowercase.',
    input: v.strictObject({ propertyId: v.pipe(v.string(), v.maxLength(120)) }),
    answer: found({ property }),
  }),
  save: operation({
    access: 'admin',
    summary: 'Creates a property with its default form, or changes one that is named by its id.',
    input: v.strictObject({
      payload: v.variant('id', [
        v.strictObject({
          id: v.optional(v.undefined()),
          data: v.strictObject({ displayName: propertyName, service: v.optional(reviewServices, []) }),
        }),
        v.strictObject({
          id: propertyIdSchema,
          data: v.strictObject({ displayName: v.optional(propertyName), service: v.optional(reviewServices) }),
        }),
      ]),
    }),
    answer: found({ property, form }),
  }),
  delete: operation({
    access: 'admin',
    summary: 'Deletes a property. Its form closes at once and its feedback leaves every list.',
    input: v.strictObject({ propertyId: propertyIdSchema }),
    answer: found({}),
  }),
};

export const propertyExamples: Examples<typeof propertyOperations> = {
  list: ({ accountId }) => ({ accountId }),
  get: ({ propertyId }) => ({ propertyId }),
  save: ({ propertyId }) => ({ payload: { id: propertyId, data: { displayName: 'Pier 4' } } }),
  delete: ({ propertyId }) => ({ propertyId }),
};

/** A property’s name as it stands in a URL: lowercase, with dashes for all but letters and digits. */
export function dashed(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

/** Whether a URL names this property: by its id or by its dashed name. */
export const isNamed = (name: string, { id, data }: Property): boolean => name === id || name === dashed(data.displayName);

const withForm = v.strictObject({ formId: formIdSchema });

export const propertyEvents = {
  'property.created': event({ seenBy: 'member', summary: 'A property was made, with its form.', data: withForm }),
  'property.renamed': event({
    seenBy: 'member',
    summary: 'A property got another name, which its form shows.',
    data: v.strictObject({ from: v.string(), to: v.string(), ...withForm.entries }),
  }),
  'property.services-changed': event({
    seenBy: 'member',
    summary: 'A property points to other review services.',
    data: v.strictObject({ services: v.array(v.picklist(REVIEW_SERVICES)) }),
  }),
  'property.deleted': event({ seenBy: 'member', summary: 'A property was deleted, and its form closed.', data: withForm }),
};
