import { randomUUID } from 'node:crypto';
import type { ExampleSubjects, Service } from '#contract/core/operation.ts';
import { examples, services } from '#contract/services.ts';
import { ACCOUNT_ID, account, dana, formOf, pier, till } from '#fixtures/business.ts';
import { exitKiosk } from '#fixtures/kiosks.ts';

/** Every operation by its name, as `feedback.save`. */
export const operations = Object.entries<Service>(services).flatMap(([service, all]) =>
  Object.entries(all).map(([action, { access, whileDeleted }]) => ({
    name: `${service}.${action}`,
    service,
    action,
    access,
    whileDeleted,
  })),
);

/** Returns the subjects of examples: records of the sample business, overridden by those given. */
export function subjectsOf(about: Partial<ExampleSubjects> = {}): ExampleSubjects {
  const { accountId = ACCOUNT_ID, formId = pier.data.formId } = about;
  return {
    accountId,
    userId: dana.id,
    propertyId: pier.id,
    formId,
    toolId: till.id,
    kioskId: exitKiosk.id,
    pairingCode: 'ABCD-2345',
    kioskToken: `${accountId}.${'a'.repeat(43)}`,
    feedbackId: 'EXPERIENCE_20261120_1795132800000_nobdy',
    tagId: 'TAG_nobody0000',
    commentId: 'COMMENT_nobodyhere',
    messageId: 'MESSAGE_nobodyhere',
    apiKeyId: 'APIKEY_nobodyhere',
    feedbackRequestId: 'FEEDBACKREQUEST_nobodyhere',
    suppressionId: 'SUPPRESSION_nobodyhere',
    topicId: 'TOPIC_nobodyhere',
    otherTopicId: 'TOPIC_nobodyther',
    savedReplyId: 'SAVEDREPLY_nobodyhere',
    savedViewId: 'SAVEDVIEW_nobodyhere',
    exportId: 'EXPORT_nobodyhere',
    deliveryId: 'DELIVERY_nobodyhere',
    webhookId: 'WEBHOOK_nobodyhere',
    notificationId: 'NOTIFICATION_nobodyhere',
    deviceId: 'DEVICE_nobodyhere',
    account: { ...account, id: accountId },
    form: { ...formOf(pier), id: formId },
    transactionId: 'txn_00000000000000000000nobody',
    email: dana.data.emailAddress,
    sessionId: randomUUID(),
    invitationKey: unused(),
    resetKey: unused().slice(0, 22),
    lockKey: unused().slice(0, 22),
    unused: unused(),
    now: Date.now(),
    ...about,
  };
}

/** Returns the example input of an operation. Throws if it has none. */
export function exampleOf(name: string, about: ExampleSubjects): object {
  const [service = '', action = ''] = name.split('.');
  const example = (examples as Record<string, Record<string, (about: ExampleSubjects) => object>>)[service]?.[action];
  if (!example) throw new Error(`${name} has no example`);
  return example(about);
}

const unused = (): string => randomUUID().replaceAll('-', '');
