import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DescribedOperation } from '#contract/core/operation.ts';
import { dana } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { signInAsOperator } from '../../../test/support/operator.ts';

/* Sends the samples of `GET /api/operations`, as printed, to the sample business as an admin who is an operator. */

let app: TestApp;
let operations: readonly DescribedOperation[];
let token: string;
beforeAll(async () => {
  app = await openTestApp({ settings: { OPERATOR_EMAILS: dana.data.emailAddress } });
  token = await signInAsOperator(app);
  operations = (await app.app.http.inject('/api/operations')).json();
});
afterAll(() => app.stop());

/** Samples that the sample business can't accept, by what they lack. */
const UNACCEPTED: Readonly<Record<string, readonly string[]>> = {
  'the id of feedback, which starts with the time it was given': [
    ...['get', 'some', 'trust', 'modify', 'history', 'discard'].map((action) => `feedback.${action}`),
    ...['comment.save', 'comment.list', 'notification.alerts'],
    ...['get', 'answer', 'close', 'reopen'].map((action) => `conversation.${action}`),
  ],
  'the id of a record that someone has to create first': [
    ...['export.get', 'export.link', 'export.delete', 'delivery.retry', 'device.test', 'device.delete', 'tag.delete', 'apiKey.revoke'],
    ...['feedbackRequest.cancel', 'feedbackRequest.unsuppress', 'topic.examples', 'topic.merge', 'topic.delete'],
    ...['restore', 'reveal', 'rotate', 'test', 'deliveries', 'replay', 'delete'].map((action) => `webhook.${action}`),
    ...['message.screenshot', 'message.handle', 'message.delete', 'user.resend', 'user.endSession', 'account.replayBillingEvent'],
  ],
  'a key from a mail': ['user.invitation', 'user.refuseSecondFactorReset', 'user.lock'],
  'the code or the token of a tablet': ['pair', 'report', 'deliver', 'leave'].map((action) => `kiosk.${action}`),
  'a person with two-step sign-in': ['resetSecondFactor', 'requestSecondFactorReset', 'cancelSecondFactorReset'].map(
    (action) => `user.${action}`,
  ),
  'an account that is being set up, or is deleted': [
    ...['choosePlan', 'startTrial', 'getStarted', 'masterRestore', 'masterDelete'].map((action) => `account.${action}`),
  ],
  'billing, which this installation has off': [
    ...['checkout', 'confirmPayment', 'previewPlan', 'changePlan', 'changePayment', 'cancelPlan', 'keepPlan', 'payments', 'invoice'],
    ...['paymentPortal', 'extendTrial', 'giveBeta', 'syncSubscription'],
  ].map((action) => `account.${action}`),
};
const lacking = Object.values(UNACCEPTED).flat();
/** Run last, in this order, because they delete what other samples need. */
const LAST = [
  ...[
    'comment.delete',
    'apiKey.revoke',
    'savedReply.delete',
    'savedView.delete',
    'tool.delete',
    'user.delete',
    'form.close',
    'form.delete',
    'form.create',
    'property.delete',
  ],
  ...['account.delete', 'account.masterDelete'],
];

const nameOf = ({ service, action }: DescribedOperation): string => `${service}.${action}`;

async function send({ service, action, access, sample }: DescribedOperation) {
  const { service: _service, action: _action, ...sent } = sample as Readonly<Record<string, unknown>>;
  const { status, body } = await app.call(service, action, sent, access === 'visitor' ? undefined : token);
  return { status, isDone: status === 200 && (body.status === 'ok' || 'success' in body) };
}

it('every sample works as printed, unless the sample business lacks its subject', async () => {
  const order = operations.toSorted((a, b) => LAST.indexOf(nameOf(a)) - LAST.indexOf(nameOf(b)));
  const refused: string[] = [];
  for (const operation of order) {
    const { status, isDone } = await send(operation);
    if (!isDone) refused.push(nameOf(operation));
    // Its input is valid even if it's refused.
    if (lacking.includes(nameOf(operation))) expect([nameOf(operation), status]).not.toEqual([nameOf(operation), 400]);
  }
  expect(refused.sort()).toEqual(lacking.toSorted());
});
