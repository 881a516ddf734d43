import { defaultSteps, IN_ENGLISH } from '../form/steps.ts';
import { examples, type ServiceName } from '../services.ts';
import type { ExampleSubjects } from './operation.ts';

/* The sample calls in the documentation, with ids of the sample business where it has such a record. */

const ACCOUNT_ID = 'ACCOUNT_HarborCoffee';
const PROPERTY_ID = 'PROPERTY_HarborPier4';
const FORM_ID = 'FORM_Pier04';
const CREATED = Date.UTC(2026, 0, 1);
const SESSION_ID = '5f0c1f0e-3f8d-4b0a-9b43-6d1f2a7c8e01';
const EMAIL = 'dana@harborcoffee.test';
const KEY = 'aRandomKeyOf128Bits0rMore';

const SUBJECTS: ExampleSubjects = {
  accountId: ACCOUNT_ID,
  userId: 'USER_a3b7e6d2-91c4-4c57-8e2f-0b9d4f6a1c02',
  propertyId: PROPERTY_ID,
  formId: FORM_ID,
  toolId: 'TOOL_PierTill01',
  kioskId: 'TOOL_OldTnExit1',
  pairingCode: 'ABCD-2345',
  kioskToken: `${ACCOUNT_ID}.aRandomTokenOf256BitsWith43LettersAndDigits`,
  feedbackId: 'EXPERIENCE_20260101_1767225600000_a1B2c',
  tagId: 'TAG_a1B2c3D4e5',
  commentId: 'COMMENT_Sample0001',
  messageId: 'MESSAGE_a1B2c3D4e5',
  apiKeyId: 'APIKEY_Sample0001',
  feedbackRequestId: 'FEEDBACKREQUEST_Sample0001',
  suppressionId: 'SUPPRESSION_a1B2c3D4e5',
  topicId: 'TOPIC_a1B2c3D4e5',
  otherTopicId: 'TOPIC_f6G7h8I9j0',
  savedReplyId: 'SAVEDREPLY_Sample0001',
  savedViewId: 'SAVEDVIEW_Sample0001',
  exportId: 'EXPORT_a1B2c3D4e5',
  deliveryId: 'DELIVERY_a1B2c3D4e5',
  webhookId: 'WEBHOOK_a1B2c3D4e5',
  notificationId: 'NOTIFICATION_a1B2c3D4e5',
  deviceId: 'DEVICE_a1B2c3D4e5',
  account: {
    id: ACCOUNT_ID,
    sk: 'ACCOUNT',
    gs1sk: String(CREATED),
    data: { created: CREATED, displayName: 'Harbor Coffee', subscription: { status: 'active', phase: 'none' } },
  },
  form: {
    id: FORM_ID,
    sk: 'FORM',
    gs1sk: PROPERTY_ID,
    data: {
      accountId: ACCOUNT_ID,
      formId: FORM_ID,
      propertyId: PROPERTY_ID,
      displayName: 'Pier 4',
      experience: 'STANDARD',
      version: 1,
      updated: CREATED,
      inviteToReview: 'good',
      ...IN_ENGLISH,
      steps: defaultSteps([], sampleUuids(FORM_ID)),
    },
  },
  transactionId: 'txn_01k9zy7m4x3w2v1t0s9r8q7p6n',
  email: EMAIL,
  sessionId: SESSION_ID,
  invitationKey: KEY.slice(0, 22),
  resetKey: KEY.slice(0, 22),
  lockKey: KEY.slice(0, 22),
  unused: KEY.toLowerCase(),
  now: CREATED,
};

/** Returns a generator of a sample form's uuids, the same in every process: for the seed, the demo, tests and documentation. */
export function sampleUuids(formId: string): () => string {
  const seed = Array.from(formId).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  let count = 0;
  return () => {
    count += 1;
    return `${seed.toString(16).padStart(8, '0')}-0000-4000-8000-${String(count).padStart(12, '0')}`;
  };
}

/** Returns the whole body of an operation's sample call, as the documentation shows it. */
export function sampleCall(service: ServiceName, action: string): object {
  // The types of a service's examples are lost with a service that is known only at run time.
  const example = (examples[service] as Readonly<Record<string, (about: ExampleSubjects) => object>>)[action];
  if (!example) throw new Error(`${service}.${action} has no example`);
  return { service, action, ...example(SUBJECTS) };
}
