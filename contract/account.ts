import * as v from 'valibot';
import { subscription } from './billing.ts';
import { accountIdSchema } from './ids.ts';
import { operation } from './operation.ts';
import { displayName, found } from './schema.ts';

/** A business. `gs1sk` is the moment of its making as text (§3). */
export const account = v.strictObject({
  id: accountIdSchema,
  sk: v.literal('ACCOUNT'),
  gs1sk: v.string(),
  data: v.strictObject({ created: v.number(), displayName: v.string(), subscription }),
});
export type Account = v.InferOutput<typeof account>;

export const accountOperations = {
  get: operation({
    access: 'member',
    summary: 'Reads the account of the signed-in person.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: found({ account }),
  }),
  save: operation({
    access: 'admin',
    summary: 'Renames the account. Subscription fields are the server’s and refused here.',
    input: v.strictObject({
      payload: v.strictObject({ id: accountIdSchema, data: v.strictObject({ displayName }) }),
    }),
    answer: found({ account }),
  }),
};
