import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { subscriptionOperations } from '#contract/billing/subscription.ts';
import type { ExampleSubjects } from '#contract/core/operation.ts';
import { messageExamples } from '#contract/message/message.ts';
import { ACCOUNT_ID, airport, dana, formOf, noor, oldTown, pier, sam } from '#fixtures/business.ts';
import { exitKiosk } from '#fixtures/kiosks.ts';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { exampleOf, operations, subjectsOf } from '../../../test/support/examples.ts';
import { setUpApp, signInAsOperator } from '../../../test/support/operator.ts';
import { addOtherAccount, otherAccount } from '../../../test/support/other-account.ts';
import { PATIENT } from '../../../test/support/patience.ts';
import { submission } from '../../../test/support/submission.ts';

/* Calls every operation with the example of its declaration, as a caller with access. */

let app: TestApp;
let tokens: Record<'visitor' | 'member' | 'admin' | 'operator' | 'newcomer', string | undefined>;
let subjects: Partial<ExampleSubjects>;
beforeAll(async () => {
  app = await openTestApp({ settings: { OPERATOR_EMAILS: dana.data.emailAddress }, also: addOtherAccount });
  const operator = await signInAsOperator(app);
  tokens = { visitor: undefined, member: await app.signIn(sam.data.emailAddress), admin: operator, operator, newcomer: await signUp() };
  const { body } = await app.call('feedback', 'list', { accountId: ACCOUNT_ID, limit: 1 }, operator);
  subjects = { feedbackId: body.feedback[0].id };
});
afterAll(() => app.stop());

/** The records that an operation's example needs, if not any record will do. */
const SUBJECTS: Readonly<Record<string, () => Promise<Partial<ExampleSubjects>> | Partial<ExampleSubjects>>> = {
  'user.save': () => ({ userId: sam.id }),
  'user.resend': async () => ({ userId: (await invite()).userId }),
  'user.invitation': async () => ({ invitationKey: (await invite()).key }),
  'user.accept': async () => ({ invitationKey: (await invite()).key }),
  'user.endSession': async () => {
    await app.signIn(sam.data.emailAddress);
    const { body } = await app.call('user', 'sessions', {}, tokens.member);
    return { sessionId: body.sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent).id };
  },
  'user.secondFactor': () => ({ userId: sam.id }),
  'user.makeBackupCodes': async () => {
    await turnOn(sam.data.emailAddress);
    return {};
  },
  'user.resetSecondFactor': async () => {
    await turnOn(noor.data.emailAddress);
    return { userId: noor.id };
  },
  'user.masterSecondFactor': () => ({ userId: sam.id }),
  'user.requestSecondFactorReset': () => soleAdmin(),
  'user.cancelSecondFactorReset': () => requestReset(),
  'user.refuseSecondFactorReset': async () => {
    await requestReset();
    const [, resetKey = ''] = /#keep-two-step=([\w-]+)/.exec(await app.mailTo(otherAccount.email, '#keep-two-step=')) ?? [];
    return { resetKey };
  },
  'user.lock': async () => {
    await turnOn(noor.data.emailAddress);
    const [, lockKey = ''] = /#not-me=([\w-]+)/.exec(await app.mailTo(noor.data.emailAddress, '#not-me=')) ?? [];
    return { lockKey };
  },
  'user.delete': async () => ({ userId: (await invite()).userId }),
  'kiosk.pair': async () => ({ pairingCode: await startPairing() }),
  'kiosk.report': async () => ({ kioskToken: await pair() }),
  'kiosk.deliver': async () => ({ kioskToken: await pair(), formId: oldTown.data.formId, form: formOf(oldTown) }),
  'kiosk.leave': async () => ({ kioskToken: await pair() }),
  'apiKey.revoke': async () => {
    const { body } = await app.call('apiKey', 'create', exampleOf('apiKey.create', subjectsOf(subjects)), tokens.admin);
    return { apiKeyId: body.key.id };
  },
  'topic.examples': async () => ({ topicId: await addTopic('Music') }),
  'topic.merge': async () => ({ topicId: await addTopic('Noise'), otherTopicId: await addTopic('Sound') }),
  'topic.delete': async () => ({ topicId: await addTopic('Light') }),
  'topic.setUp': async () => {
    const { body } = await app.call('topic', 'list', { accountId: ACCOUNT_ID }, tokens.admin);
    for (const { id } of body.topics) await app.call('topic', 'delete', { topicId: id }, tokens.admin);
    return {};
  },
  'feedbackRequest.cancel': async () => {
    const sent = { propertyId: pier.id, payload: { requests: [{ email: 'cas@example.com' }] } };
    return { feedbackRequestId: (await app.call('feedbackRequest', 'add', sent, tokens.admin)).body.added[0] };
  },
  'feedbackRequest.unsuppress': async () => {
    const { body } = await app.call('feedbackRequest', 'suppress', { email: 'ben@example.com' }, tokens.admin);
    return { suppressionId: body.suppression.id };
  },
  'savedReply.delete': async () => {
    const sent = exampleOf('savedReply.save', subjectsOf(subjects));
    return { savedReplyId: (await app.call('savedReply', 'save', sent, tokens.member)).body.reply.id };
  },
  'tag.delete': async () => {
    const { body } = await app.call('tag', 'save', { payload: { data: { displayName: 'Queue' } } }, tokens.member);
    return { tagId: body.tag.id };
  },
  'delivery.retry': async () => ({ deliveryId: (await app.call('delivery', 'test', {}, tokens.admin)).body.delivery.id }),
  'webhook.delete': async () => ({ webhookId: await addWebhook() }),
  'webhook.restore': async () => {
    const webhookId = await addWebhook();
    await app.call('webhook', 'delete', { webhookId }, tokens.admin);
    return { webhookId };
  },
  'webhook.reveal': async () => ({ webhookId: await addWebhook() }),
  'webhook.rotate': async () => ({ webhookId: await addWebhook() }),
  'webhook.test': async () => ({ webhookId: await addWebhook() }),
  'webhook.deliveries': async () => ({ webhookId: await addWebhook() }),
  'webhook.replay': async () => ({ webhookId: await addWebhook() }),
  'comment.delete': async () => ({ commentId: await addComment() }),
  'comment.restore': async () => {
    const commentId = await addComment();
    await app.call('comment', 'delete', { commentId }, tokens.member);
    return { commentId };
  },
  'savedView.delete': async () => ({ savedViewId: await saveView() }),
  'savedView.restore': async () => {
    const savedViewId = await saveView();
    await app.call('savedView', 'delete', { savedViewId }, tokens.member);
    return { savedViewId };
  },
  'export.get': async () => ({ exportId: await addExport() }),
  'export.link': async () => ({ exportId: await addExport() }),
  'export.delete': async () => ({ exportId: await addExport() }),
  'device.delete': async () => ({ deviceId: await subscribe() }),
  'device.test': async () => ({ deviceId: await subscribe() }),
  'message.screenshot': async () => ({ messageId: await sendMessage(PIXEL) }),
  'message.handle': async () => ({ messageId: await sendMessage() }),
  'message.delete': async () => ({ messageId: await sendMessage() }),
  'conversation.answer': async () => {
    const contact = { answer: 'Yes' as const, email: 'ann@example.com' };
    const { body } = await app.call('feedback', 'save', submission({ rating: 4, contact }));
    return { feedbackId: body.feedback.id };
  },
  'feedback.discard': async () => {
    const { idempotencyKey, payload } = submission({ rating: 4 });
    const { body } = await app.call('feedback', 'save', { idempotencyKey, payload: { data: { ...payload.data, test: true } } });
    return { feedbackId: body.feedback.id };
  },
  'property.delete': () => ({ propertyId: airport.id }),
  'form.delete': () => ({ formId: oldTown.data.formId }),
  'form.create': () => ({ propertyId: oldTown.id }),
  'account.masterDelete': () => ({ accountId: otherAccount.accountId }),
  'account.masterRestore': () => ({ accountId: otherAccount.accountId }),
};
/** Steps of the sign-up, called by someone who is signing up. */
const NEWCOMERS = ['account.choosePlan', 'account.startTrial', 'account.getStarted'];
const LAST = 'account.delete';
/** Operations that need billing; billing.test.ts calls them with it. */
const PAID = Object.keys(subscriptionOperations).map((action) => `account.${action}`);
/** Those of them that also work without billing. */
const ANSWERED = ['account.listSubscriptions', 'account.billingProblems'];
const UNPAID = PAID.filter((name) => !ANSWERED.includes(name) && name !== 'account.replayBillingEvent');

const acceptable = operations.filter(({ name }) => !PAID.includes(name) || ANSWERED.includes(name));
const inOrder = [...acceptable.filter(({ name }) => name !== LAST), ...acceptable.filter(({ name }) => name === LAST)];

it.each(operations.filter(({ name }) => UNPAID.includes(name)))(
  '$name is refused without billing',
  async ({ name, service, action, access }) => {
    const { status, body } = await app.call(service, action, exampleOf(name, subjectsOf(subjects)), tokens[access]);
    expect([status, body.code]).toEqual([409, 'not-billed']);
  },
);

it.each(inOrder)('$name accepts its example', async ({ name, service, action, access }) => {
  const about = subjectsOf({ ...subjects, ...(await SUBJECTS[name]?.()) });
  const token = NEWCOMERS.includes(name) ? tokens.newcomer : tokens[access];
  const { status, body } = await app.call(service, action, exampleOf(name, about), token);
  expect([status, body]).toEqual([200, expect.objectContaining(body.success === undefined ? { status: 'ok' } : { success: true })]);
});

/** Visitors' operations without a limit per network, so that a crowd can share one. Batches, the flood limit and shedding limit them. */
const UNLIMITED = ['feedback.save', 'form.get', 'view.track'];

it.each(operations.filter(({ access, name }) => access === 'visitor' && !UNLIMITED.includes(name)))(
  '$name counts the calls of each network',
  async ({ name, service, action }) => {
    const counts = async () => (await app.stored<{ sum: number }>('select sum(count)::integer as sum from rate_limit'))[0]?.sum ?? 0;
    const call = (remoteAddress: string) => {
      const email = `${remoteAddress.slice(0, 10).replace(/\W/g, '')}@example.com`;
      const payload = { service, action, ...exampleOf(name, subjectsOf({ email })) };
      return app.app.http.inject({ method: 'POST', url: '/api/data', remoteAddress, payload });
    };
    for (const network of ['2001:db8:a', '2001:db8:b']) {
      await call(`${network}::1`);
      const before = await counts();
      await call(`${network}:1::1`);
      expect(await counts()).toBeGreaterThan(before);
    }
  },
);

/** Creates a pairing code of the sample kiosk. */
const startPairing = async (): Promise<string> =>
  (await app.call('kiosk', 'startPairing', { kioskId: exitKiosk.id }, tokens.admin)).body.code;

/** Pairs a tablet with the sample kiosk, and returns its token. */
const pair = async (): Promise<string> => (await app.call('kiosk', 'pair', { code: await startPairing() })).body.token;

/** Long enough for a busy machine. */

/** Creates a member's export, waits until it's done, and returns its id. */
async function addExport(): Promise<string> {
  const { body } = await app.call('export', 'create', exampleOf('export.create', subjectsOf(subjects)), tokens.member);
  const exportId: string = body.file.id;
  await vi.waitFor(async () => {
    expect((await app.call('export', 'get', { exportId }, tokens.member)).body.file.data.status).toBe('done');
  }, PATIENT);
  return exportId;
}

/** Adds a member's comment and returns its id. */
const addTopic = async (displayName: string): Promise<string> =>
  (await app.call('topic', 'save', { payload: { data: { displayName, phrases: ['music'] } } }, tokens.admin)).body.topic.id;

async function addComment(): Promise<string> {
  const sent = exampleOf('comment.save', subjectsOf(subjects));
  return (await app.call('comment', 'save', sent, tokens.member)).body.comment.id;
}

/** Adds a member's device and returns its id. */
async function subscribe(): Promise<string> {
  return (await app.call('device', 'save', exampleOf('device.save', subjectsOf()), tokens.member)).body.device.id;
}

/** Adds an admin's webhook and returns its id. */
async function addWebhook(): Promise<string> {
  return (await app.call('webhook', 'save', exampleOf('webhook.save', subjectsOf()), tokens.admin)).body.webhook.id;
}

/** Saves a member's view and returns its id. */
async function saveView(): Promise<string> {
  const sent = exampleOf('savedView.save', subjectsOf());
  return (await app.call('savedView', 'save', sent, tokens.member)).body.view.id;
}

const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Sends a member's message to the operators and returns its id. */
async function sendMessage(screenshot?: string): Promise<string> {
  const { idempotencyKey, payload } = messageExamples.save(subjectsOf());
  const sent = { idempotencyKey, payload: { data: { ...payload.data, ...(screenshot !== undefined && { screenshot }) } } };
  return (await app.call('message', 'save', sent, tokens.member)).body.message.id;
}

async function invite(): Promise<{ userId: string; key: string }> {
  const { body } = await app.call('user', 'generate', exampleOf('user.generate', subjectsOf()), tokens.admin);
  const { id, gs2pk } = body.data.user;
  const [, key = ''] = /#invite=([\w-]+)/.exec(await app.mailTo(gs2pk, '#invite=')) ?? [];
  return { userId: id, key };
}

/** Turns on two-step sign-in, if it's off, and returns the token of the session. */
async function turnOn(email: string): Promise<string> {
  const AccessToken = await app.signIn(email);
  await setUpApp(app, AccessToken);
  return AccessToken;
}

let isOn: Promise<string> | undefined;

/** Returns the other account's only admin, with two-step sign-in on. */
async function soleAdmin(): Promise<Partial<ExampleSubjects>> {
  isOn ??= turnOn(otherAccount.email);
  await isOn;
  return { accountId: otherAccount.accountId, userId: otherAccount.userId };
}

async function requestReset(): Promise<Partial<ExampleSubjects>> {
  const about = await soleAdmin();
  await app.call('user', 'requestSecondFactorReset', exampleOf('user.requestSecondFactorReset', subjectsOf(about)), tokens.operator);
  return about;
}

/** Signs up someone who hasn't chosen a plan yet, and returns their token. */
async function signUp(): Promise<string> {
  const about = subjectsOf();
  const { body } = await app.call('user', 'create', exampleOf('user.create', about));
  const email = body.data.user.gs2pk;
  const [, ConfirmationCode] = /\b(\d{6})\b/.exec(await app.mailTo(email, /\d{6}/)) ?? [];
  await app.pool('ConfirmSignUp', { Username: email, ConfirmationCode });
  return app.signIn(email, `a harbor ${about.unused}`);
}
