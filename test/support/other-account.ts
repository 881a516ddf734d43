import { randomUUID } from 'node:crypto';
import { defaultSteps, IN_ENGLISH } from '#contract/form/steps.ts';
import { DEFAULT_HOURS } from '#contract/kiosk/hours.ts';
import * as accounts from '../../server/account/store.ts';
import * as apiKeys from '../../server/api-key/store.ts';
import type { App } from '../../server/app.ts';
import * as subscriptions from '../../server/billing/store.ts';
import * as comments from '../../server/comment/store.ts';
import * as conversations from '../../server/conversation/store.ts';
import * as files from '../../server/export/store.ts';
import * as feedback from '../../server/feedback/store.ts';
import * as requests from '../../server/feedback-request/store.ts';
import { suppress } from '../../server/feedback-request/suppression-store.ts';
import * as forms from '../../server/form/store.ts';
import * as kiosks from '../../server/kiosk/store.ts';
import * as messages from '../../server/message/store.ts';
import { addDelivery, addNotifications, saveDevice } from '../../server/notification/store.ts';
import { inAccount } from '../../server/platform/tenancy/access.ts';
import * as properties from '../../server/property/store.ts';
import * as savedReplies from '../../server/saved-reply/store.ts';
import * as savedViews from '../../server/saved-view/store.ts';
import * as tools from '../../server/tool/store.ts';
import * as topics from '../../server/topic/store.ts';
import * as users from '../../server/user/store.ts';
import * as webhookDeliveries from '../../server/webhook/delivery-store.ts';
import * as webhooks from '../../server/webhook/store.ts';
import { SAMPLE_PASSWORD } from './app.ts';

/** Appears in every text of the other account, so that a leak is found by searching for it. */
export const CANARY = 'CANARY-of-Bay-Bakery';

/** The ids of another business in the same database, requested by tests of isolation. */
export const otherAccount = {
  accountId: 'ACCOUNT_BayBakery',
  userId: 'USER_0d6f1c1e-7a52-4a43-9c0e-2f8e6a1b4c01',
  memberId: 'USER_0d6f1c1e-7a52-4a43-9c0e-2f8e6a1b4c02',
  propertyId: 'PROPERTY_BayBakeryQuay',
  formId: 'FORM_BayQ01',
  toolId: 'TOOL_BayTill001',
  kioskId: 'TOOL_BayExit001',
  feedbackId: 'EXPERIENCE_20261120_1795132800000_canry',
  commentId: 'COMMENT_BayBakery1',
  messageId: 'MESSAGE_BayBakery1',
  apiKeyId: 'APIKEY_BayBakery1',
  feedbackRequestId: 'FEEDBACKREQUEST_BayBakery',
  topicId: 'TOPIC_BayBakery1',
  suppressionId: 'SUPPRESSION_BayBakery1',
  savedReplyId: 'SAVEDREPLY_BayBakery1',
  savedViewId: 'SAVEDVIEW_BayBakery1',
  exportId: 'EXPORT_BayBakery1',
  deliveryId: 'DELIVERY_BayBakery1',
  webhookId: 'WEBHOOK_BayBakery1',
  notificationId: 'NOTIFICATION_BayBakery1',
  deviceId: 'DEVICE_BayBakery1',
  email: 'rosa@baybakery.test',
  memberEmail: 'tom@baybakery.test',
} as const;

export async function addOtherAccount({ platform, signUp }: App): Promise<void> {
  const created = new Date(1_795_000_000_000);
  await inAccount(platform, { accountId: otherAccount.accountId, actor: otherAccount.userId }, async (scope) => {
    await accounts.insert(scope, { created, displayName: `${CANARY} account` });
    await subscriptions.insert(scope, { status: 'active', plan: 'Pro', onboardedAt: created });
    for (const [id, level, emailAddress] of [
      [otherAccount.userId, 'admin', otherAccount.email],
      [otherAccount.memberId, 'user', otherAccount.memberEmail],
    ] as const) {
      await users.insert(scope, { id, created, createdBy: otherAccount.userId, displayName: `${CANARY} person`, emailAddress, level });
      await signUp(scope.db, { sub: id.slice('USER_'.length), email: emailAddress, password: SAMPLE_PASSWORD });
    }
    const place = { id: otherAccount.propertyId, formId: otherAccount.formId, author: otherAccount.userId, complaints: [], weekly: [] };
    await properties.insert(scope, { ...place, created, displayName: `${CANARY} quay`, service: [] });
    const steps = defaultSteps([], randomUUID);
    await forms.insert(scope, {
      id: otherAccount.formId,
      propertyId: otherAccount.propertyId,
      steps,
      inviteToReview: 'good',
      ...IN_ENGLISH,
      saved: created,
      savedBy: otherAccount.userId,
    });
    const { toolId: id, kioskId, propertyId, formId, userId: author } = otherAccount;
    await tools.insert(scope, { id, propertyId, formId, toolType: 'qr', displayName: `${CANARY} till`, created, author });
    await tools.insert(scope, { id: kioskId, propertyId, formId, toolType: 'kiosk', displayName: `${CANARY} exit`, created, author });
    await kiosks.insert(scope, {
      id: kioskId,
      propertyId,
      hours: DEFAULT_HOURS,
      thanks: CANARY,
      repeatWithin: 5,
      pinHash: Buffer.alloc(32),
    });
  });
  await feedback.insertMany(
    platform.database,
    [
      {
        accountId: otherAccount.accountId,
        id: otherAccount.feedbackId,
        propertyId: otherAccount.propertyId,
        formId: otherAccount.formId,
        formVersion: 1,
        keyHash: 'ab'.repeat(32),
        suspected: undefined,
        created: 1_795_132_800_000,
        rating: 1,
        urgent: true,
        kind: 'complaint',
        source: 'open text',
        text: `${CANARY} text`,
        converted: undefined,
        responses: [],
        diagnostics: undefined,
        url: undefined,
      },
    ],
    { lane: 0, subscribedNames: [] },
  );
  const {
    accountId,
    userId: actor,
    propertyId,
    feedbackId,
    commentId: id,
    messageId,
    apiKeyId,
    feedbackRequestId,
    topicId,
    suppressionId,
    savedReplyId,
    savedViewId,
    exportId,
    deliveryId,
    webhookId,
    notificationId,
    deviceId,
  } = otherAccount;
  await inAccount(platform, { accountId, actor }, async (scope) => {
    await comments.insert(scope, {
      id,
      feedbackId,
      propertyId,
      text: `${CANARY} comment`,
      mentioned: [],
      key: 'canary-comment-of-the-bay',
    });
    await conversations.lock(scope, feedbackId);
    await conversations.addKey(scope, feedbackId, Buffer.from(CANARY));
    const key = 'canary-answer-of-the-bay';
    await conversations.addMessage(scope, { id: 'CONVERSATIONMESSAGE_BayBakery', feedbackId, text: `${CANARY} answer`, key });
    const shows = { feed: 'account' as const, filters: { q: CANARY } };
    await apiKeys.insert(scope, {
      ...{ id: apiKeyId, hash: Buffer.from(CANARY), displayName: `${CANARY} key`, scopes: ['read-feedback'], ending: 'nary' },
    });
    const emailHash = Buffer.from(CANARY);
    const customer = { email: `${CANARY.toLowerCase()}@mail.example`, emailHash, name: CANARY };
    await requests.insert(scope, [{ id: feedbackRequestId, propertyId, ...customer, visited: LONG_FROM_NOW, due: LONG_FROM_NOW }]);
    await suppress(scope, { id: suppressionId, email: customer.email, emailHash, reason: 'added' });
    await topics.insert(scope, { id: topicId, displayName: `${CANARY} topic`, phrases: [CANARY.toLowerCase()] });
    await savedReplies.insert(scope, { id: savedReplyId, displayName: `${CANARY} reply`, text: CANARY });
    await savedViews.insert(scope, { id: savedViewId, displayName: `${CANARY} view`, isShared: true, shows });
    const content = { text: `${CANARY} message`, url: '/', userAgent: CANARY, mayReply: true, key: 'canary-message-of-the-bay' };
    await messages.insert(scope, { id: messageId, kind: 'bug', ...content });
    const query = { zone: 'UTC', list: { kind: 'all', order: 'newest' } } as const;
    await files.insert(scope, { id: exportId, content: 'feedback', format: 'csv', name: CANARY, query, contacts: true });
    const mail = { to: 'rosa@baybakery.test', subject: `${CANARY} subject`, reason: 'user.invited', created: new Date() };
    await addDelivery(scope.db, accountId, { id: deliveryId, channel: 'email', ...mail });
    await addNotifications(scope, [{ id: notificationId, userId: actor, kind: 'mention', cause: id, feedbackId, by: actor }]);
    const browser = { session: CANARY, hash: Buffer.from(CANARY), sealed: Buffer.from(CANARY), showsWords: true };
    await saveDevice(scope, { id: deviceId, userId: actor, label: `${CANARY} phone`, ...browser });
    const address = { url: 'https://hooks.example.com/bay', description: `${CANARY} webhook`, propertyIds: null };
    const delivery = { events: ['comment.created' as const], format: 'standard' as const, language: 'en' as const, isFull: false };
    await webhooks.insert(scope, { id: webhookId, ...address, ...delivery, secret: Buffer.from(CANARY) });
    const test = { id: 'WEBHOOKDELIVERY_BayBakery', webhookId, cause: 'test', type: 'webhook.test' as const, eventId: null };
    await webhookDeliveries.addDeliveries({ ...scope, now: LONG_FROM_NOW }, [test]);
  });
}

/** A due date so late that nothing is sent. */
const LONG_FROM_NOW = new Date(Date.UTC(2100, 0, 1));

/** A business whose account was deleted, while its people still have tokens. */
export const deletedAccount = {
  accountId: 'ACCOUNT_LockedInn',
  userId: 'USER_0d6f1c1e-7a52-4a43-9c0e-2f8e6a1b4c03',
  email: 'lea@lockedinn.test',
} as const;

export async function addDeletedAccount({ platform, signUp }: App): Promise<void> {
  const created = new Date(1_795_000_000_000);
  await inAccount(platform, { accountId: deletedAccount.accountId, actor: deletedAccount.userId }, async (scope) => {
    await accounts.insert(scope, { created, displayName: 'Locked Inn' });
    await subscriptions.insert(scope, { status: 'active', plan: 'Pro', onboardedAt: created });
    const { userId: id, email } = deletedAccount;
    await users.insert(scope, { id, created, createdBy: id, displayName: 'Lea', emailAddress: email, level: 'admin' });
    await signUp(scope.db, { sub: id.slice('USER_'.length), email, password: SAMPLE_PASSWORD });
  });
}
