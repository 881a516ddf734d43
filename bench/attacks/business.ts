import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { randomAlphanumeric } from '#contract/core/ids.ts';
import type { Form } from '#contract/form/form.ts';
import { gaugeOf } from '#contract/form/steps.ts';
import { ACCOUNT_ID, dana } from '#fixtures/business.ts';
import type { BenchProduct } from '../product.ts';
import { ask } from './client.ts';

/** A second business on the attacked installation. */
export interface NeighbourBusiness {
  readonly address: string;
  readonly accountId: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly clientId: string;
  /** Its form, as visitors answer it. */
  readonly form: AnsweredForm;
}

export interface AnsweredForm {
  readonly id: string;
  /** The uuid of the rating's block. */
  readonly gauge: string;
}

const NEIGHBOUR = 'ACCOUNT_QuayBakery';

/** Creates the neighbour's business, with an admin who has the sample business's password. */
export async function addNeighbour(product: BenchProduct, owner: pg.Client): Promise<NeighbourBusiness> {
  const email = 'rosa@quaybakery.test';
  await copyRow(owner, { table: 'account', where: 'id', is: ACCOUNT_ID, changes: { id: NEIGHBOUR } });
  await copyRow(owner, { table: 'subscription', where: 'account_id', is: ACCOUNT_ID, changes: { account_id: NEIGHBOUR } });
  await addPerson(owner, { accountId: NEIGHBOUR, email });
  const token = await product.signIn(email);
  const body = { service: 'property', action: 'save', payload: { data: { displayName: 'Quay', service: [] } } };
  const { form } = JSON.parse((await ask(product.address, body, { token })).text) as { form: Form };
  const { clientId, password } = await product.pool();
  return { address: product.address, accountId: NEIGHBOUR, email, password, token, clientId, form: answeredForm(form) };
}

export const answeredForm = ({ id, data }: Form): AnsweredForm => ({ id, gauge: gaugeOf(data.steps).uuid });

/** Adds people with the sample business's password to it. Returns their access tokens. */
export async function addColleagues(product: BenchProduct, owner: pg.Client, count: number): Promise<string[]> {
  const emails = Array.from({ length: count }, (_, index) => `teammate${index}@harborcoffee.test`);
  const tokens: string[] = [];
  for (const email of emails) {
    await addPerson(owner, { accountId: ACCOUNT_ID, email });
    tokens.push(await product.signIn(email));
  }
  return tokens;
}

/** Adds a person with the level and password of the sample business's admin. */
export async function addPerson(owner: pg.Client, { accountId, email }: { accountId: string; email: string }): Promise<void> {
  const sub = crypto.randomUUID();
  await copyRow(owner, {
    table: '"user"',
    where: 'id',
    is: dana.id,
    changes: { account_id: accountId, id: `USER_${sub}`, email_address: email },
  });
  await copyRow(owner, { table: 'identity_user', where: 'email', is: dana.data.emailAddress, changes: { sub, email } });
}

interface RowCopy {
  readonly table: string;
  readonly where: string;
  readonly is: string;
  readonly changes: Readonly<Record<string, string>>;
}

async function copyRow(owner: pg.Client, { table, where, is, changes }: RowCopy): Promise<void> {
  await owner.query(`insert into ${table} select (jsonb_populate_record(original, $2)).* from ${table} as original where ${where} = $1`, [
    is,
    JSON.stringify(changes),
  ]);
}

/** Returns the call for a visitor's tap on a face. */
export const tap = ({ id, gauge }: AnsweredForm, count: number) => ({
  service: 'feedback',
  action: 'save',
  idempotencyKey: randomAlphanumeric(24, randomBytes),
  payload: { data: { formId: id, responses: [{ uuid: gauge, block: 'EmojiGauge', response: (count % 5) + 1 }] } },
});

/** Returns the stored id in the response to a tap. */
export const storedId = (text: string): string => (JSON.parse(text) as { feedback: { id: string } }).feedback.id;
