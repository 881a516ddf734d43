import * as v from 'valibot';
import { badField, type Refusal, refusal } from '../core/errors.ts';
import { accountIdSchema, formIdSchema, propertyIdSchema, toolIdSchema } from '../core/ids.ts';
import { lengthOf } from '../core/names.ts';
import { type Examples, operation } from '../core/operation.ts';
import { LONGEST_STORED_NAME, okOrNotFound, text } from '../core/schema.ts';
import { event } from '../event/event.ts';

/** `staff` is a person's code. */
export const TOOL_TYPES = ['link', 'qr', 'kiosk', 'embed', 'staff'] as const;
export type ToolType = (typeof TOOL_TYPES)[number];

/** A way to collect feedback for a property, named after its location, 'Table 4', or a person. `gs1sk` is the property's id (docs/rules.md#envelope). */
const tool = v.strictObject({
  id: toolIdSchema,
  sk: v.literal('TOOL'),
  gs1sk: propertyIdSchema,
  data: v.strictObject({
    created: v.number(),
    accountId: accountIdSchema,
    propertyId: propertyIdSchema,
    formId: formIdSchema,
    toolType: v.picklist(TOOL_TYPES),
    displayName: v.string(),
  }),
});
export type Tool = v.InferOutput<typeof tool>;

/** Returns whether a placement is a person's. */
export const isStaff = ({ data }: Tool): boolean => data.toolType === 'staff';

/** Placements of a property: enough for every table of a large restaurant. @limit placements */
export const MOST_TOOLS = 200;
/** Characters of its name. @limit placements */
const LONGEST_PLACEMENT = 40;

/** The name of a placement: printed under a code and shown in the feed, so it may be in any script. */
export const placementName = v.pipe(
  text(LONGEST_STORED_NAME, 1),
  v.trim(),
  v.normalize('NFC'),
  v.nonEmpty('Please fill this in'),
  v.check((name) => lengthOf(name) <= LONGEST_PLACEMENT, `At most ${LONGEST_PLACEMENT} characters`),
);

/** Returns the refusal of a name that another placement of the property has. */
export const placementTaken = (): Refusal => badField('payload.data.displayName', 'This property already has a placement with this name');

const HIGHEST_NUMBER = 999;
const NUMBER = `Enter a number from 1 to ${HIGHEST_NUMBER}`;
const seriesNumber = v.pipe(v.number(NUMBER), v.integer(NUMBER), v.minValue(1, NUMBER), v.maxValue(HIGHEST_NUMBER, NUMBER));

/** Numbered placements: a name, and the first and last number. */
export const placementSeries = v.pipe(
  v.strictObject({ displayName: placementName, from: seriesNumber, to: seriesNumber }),
  v.forward(
    v.check(
      ({ from, to }) => from <= to && to - from < MOST_TOOLS,
      `Enter a number from the first one on, for at most ${MOST_TOOLS} placements`,
    ),
    ['to'],
  ),
  v.forward(
    v.check(
      ({ displayName, to }) => lengthOf(`${displayName} ${to}`) <= LONGEST_PLACEMENT,
      `At most ${LONGEST_PLACEMENT} characters, with the number`,
    ),
    ['displayName'],
  ),
);
type PlacementSeries = v.InferOutput<typeof placementSeries>;

/** Returns the names of a series: Table 1, Table 2 … */
export const seriesNames = ({ displayName, from, to }: PlacementSeries): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${displayName} ${from + index}`);

/** Returns the names that no placement has, whatever its case. Refuses more placements than a property may have. */
export function freeNames(series: PlacementSeries, existing: readonly Tool[]): string[] {
  const names = new Set(existing.map(({ data }) => data.displayName.toLowerCase()));
  const free = seriesNames(series).filter((name) => !names.has(name.toLowerCase()));
  if (existing.length + free.length > MOST_TOOLS) throw refusal('conflict', TOO_MANY_TOOLS);
  return free;
}

/** The refusal of a placement beyond the limit. */
export const TOO_MANY_TOOLS = `A property has at most ${MOST_TOOLS} placements.`;

export const toolOperations = {
  save: operation({
    access: 'admin',
    summary: 'Add a placement to a property, or rename one by its id.',
    refusals: { conflict: `The property already has ${MOST_TOOLS} placements.` },
    input: v.strictObject({
      payload: v.variant('id', [
        v.strictObject({
          id: v.optional(v.undefined()),
          data: v.strictObject({
            propertyId: propertyIdSchema,
            displayName: placementName,
            toolType: v.optional(v.picklist(TOOL_TYPES), 'qr'),
          }),
        }),
        v.strictObject({ id: toolIdSchema, data: v.strictObject({ displayName: placementName }) }),
      ]),
    }),
    answer: okOrNotFound({ tool }),
  }),
  addSeries: operation({
    access: 'admin',
    summary: 'Add numbered placements to a property: Table 1 to Table 40. Skips those that exist.',
    refusals: { conflict: `The property would have more than ${MOST_TOOLS} placements.` },
    input: v.strictObject({ propertyId: propertyIdSchema, series: placementSeries }),
    answer: okOrNotFound({ tools: v.array(tool) }),
  }),
  list: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'List the placements of a property, or of the whole account, by name.',
    input: v.strictObject({ accountId: accountIdSchema, propertyId: v.optional(propertyIdSchema) }),
    answer: okOrNotFound({ tools: v.array(tool) }),
  }),
  delete: operation({
    access: 'admin',
    summary: 'Delete a placement. Its printed codes keep opening the form, and its answers are kept.',
    input: v.strictObject({ toolId: toolIdSchema }),
    answer: okOrNotFound({}),
  }),
};

declare module '../core/operation.ts' {
  interface ExampleSubjects {
    readonly toolId: string;
  }
}

export const toolExamples: Examples<typeof toolOperations> = {
  save: ({ propertyId, unused }) => ({ payload: { data: { propertyId, displayName: `Table ${unused.slice(0, 8)}` } } }),
  addSeries: ({ propertyId, unused }) => ({ propertyId, series: { displayName: `Table ${unused.slice(8, 12)}`, from: 1, to: 2 } }),
  list: ({ accountId, propertyId }) => ({ accountId, propertyId }),
  delete: ({ toolId }) => ({ toolId }),
};

const ofProperty = { propertyId: propertyIdSchema };

export const toolEvents = {
  'tool.created': event({ seenBy: 'member', summary: 'A placement was added.', data: v.strictObject(ofProperty) }),
  'tool.renamed': event({
    seenBy: 'member',
    summary: 'A placement was renamed.',
    data: v.strictObject({ ...ofProperty, from: v.string(), to: v.string() }),
  }),
  'tool.deleted': event({ seenBy: 'member', summary: 'A placement was deleted.', data: v.strictObject(ofProperty) }),
};
