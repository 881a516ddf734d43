import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExampleSubjects } from '#contract/operation.ts';
import { ACCOUNT_ID, airport, dana, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { exampleOf, operations, subjectsOf } from '../../test/support/examples.ts';
import { signInAsOperator } from '../../test/support/operator.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';

/* Every operation is called with the example that its declaration gives, by a caller who may. */

let app: TestApp;
let tokens: Record<'visitor' | 'member' | 'admin' | 'operator' | 'newcomer', string | undefined>;
let own: Partial<ExampleSubjects>;
beforeAll(async () => {
  app = await openTestApp({ settings: { OPERATOR_EMAILS: dana.data.emailAddress }, also: addOtherAccount });
  const operator = await signInAsOperator(app);
  tokens = { visitor: undefined, member: await app.signIn(sam.data.emailAddress), admin: operator, operator, newcomer: await signUp() };
  const { body } = await app.call('feedback', 'list', { accountId: ACCOUNT_ID, limit: 1 }, operator);
  own = { feedbackId: body.feedback[0].id };
});
afterAll(() => app.stop());

/** What an operation is about that cannot be done to just any record. */
const ABOUT: Readonly<Record<string, () => Promise<Partial<ExampleSubjects>> | Partial<ExampleSubjects>>> = {
  'user.save': () => ({ userId: sam.id }),
  'user.resend': async () => ({ userId: (await invite()).userId }),
  'user.accept': async () => ({ invitationKey: (await invite()).key }),
  'user.endSession': async () => {
    await app.signIn(sam.data.emailAddress);
    const { body } = await app.call('user', 'sessions', {}, tokens.member);
    return { sessionId: body.sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent).id };
  },
  'user.delete': async () => ({ userId: (await invite()).userId }),
  'property.delete': () => ({ propertyId: airport.id }),
  'account.masterDelete': () => ({ accountId: otherAccount.accountId }),
};
/** The steps of signing up are for those who are at them. */
const NEWCOMERS = ['account.choosePlan', 'account.startTrial', 'account.getStarted'];
const LAST = 'account.delete';

const inOrder = [...operations.filter(({ name }) => name !== LAST), ...operations.filter(({ name }) => name === LAST)];

it.each(inOrder)('$name accepts its example', async ({ name, service, action, access }) => {
  const about = subjectsOf({ ...own, ...(await ABOUT[name]?.()) });
  const token = NEWCOMERS.includes(name) ? tokens.newcomer : tokens[access];
  const { status, body } = await app.call(service, action, exampleOf(name, about), token);
  expect([status, body]).toEqual([200, expect.objectContaining(body.success === undefined ? { status: 'ok' } : { success: true })]);
});

async function invite(): Promise<{ userId: string; key: string }> {
  const { body } = await app.call('user', 'generate', exampleOf('user.generate', subjectsOf()), tokens.admin);
  const { id, gs2pk } = body.data.user;
  const [, key = ''] = /#invite=([\w-]+)/.exec(await app.mailTo(gs2pk, '#invite=')) ?? [];
  return { userId: id, key };
}

/** Somebody whose business has no plan yet. */
async function signUp(): Promise<string> {
  const about = subjectsOf();
  const { body } = await app.call('user', 'create', exampleOf('user.create', about));
  const email = body.data.user.gs2pk;
  const [, ConfirmationCode] = /\b(\d{6})\b/.exec(await app.mailTo(email, /\d{6}/)) ?? [];
  await app.pool('ConfirmSignUp', { Username: email, ConfirmationCode });
  return app.signIn(email, `a harbor ${about.unused}`);
}
