import { EMAIL } from '#contract/schema.ts';
import type { MailFacts, TellMail } from '../events.ts';
import type { Transaction } from '../kernel/database.ts';

interface Telling<Name extends keyof MailFacts> {
  readonly tell: TellMail;
  readonly name: Name;
  readonly fact: MailFacts[Name];
  /** Whether there is anybody to tell. */
  readonly isMeant: boolean;
}

/** Tells a fact, or does the same work and takes it back: how long it took says nothing about who is known here. */
export async function tellOrSeemTo<Name extends keyof MailFacts>(
  db: Transaction,
  { tell, name, fact, isMeant }: Telling<Name>,
): Promise<void> {
  await db.$client.query('savepoint told');
  await tell({ db }, name, isMeant ? fact : { ...fact, email: mailable(fact.email) });
  await db.$client.query(isMeant ? 'release savepoint told' : 'rollback to savepoint told');
}

/** What somebody typed need not be an address at all. */
const mailable = (typed: string): string => (EMAIL.test(typed) ? typed : 'nobody@example.com');

/** Where a mail went, as far as whoever asks may see it: what they typed, masked. */
export function deliveryTo(email: string) {
  const [name = '', host = ''] = email.split('@');
  return { Destination: `${name.slice(0, 1)}***@${host.slice(0, 1)}***`, DeliveryMedium: 'EMAIL', AttributeName: 'email' };
}
