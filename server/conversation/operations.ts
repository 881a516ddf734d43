import { type Conversation, checkMayAnswer, type conversationOperations } from '#contract/conversation/conversation.ts';
import { conversationMessageId } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { DAY, HOUR } from '#contract/core/time.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { WORDS } from '#contract/language/all.ts';
import { filled } from '#contract/language/words.ts';
import type { Billing } from '../billing/billing.ts';
import { record } from '../event/store.ts';
import * as feedback from '../feedback/store.ts';
import type { FormReader } from '../form/store.ts';
import type { Platform } from '../platform/context.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as properties from '../property/store.ts';
import { setReply } from './conversation.ts';
import type { ConversationLinks } from './links.ts';
import * as store from './store.ts';

interface ConversationDependencies {
  readonly platform: Pick<Platform, 'random'>;
  readonly forms: FormReader;
  readonly billing: Pick<Billing, 'isTrial'>;
  readonly links: ConversationLinks;
  readonly send: SendMail;
}

/** Per person. @limit conversations */
const ANSWERS = { name: 'answers to visitors', most: 100, within: HOUR };
/** Per address, whose owner may not be the visitor who typed it. @limit conversations */
const MAILS = { name: 'mails to a visitor', most: 10, within: DAY };
/** Per account on trial, because anyone can create one and mail words to addresses that they typed themselves. @limit conversations */
const TRIAL_MAILS = { name: 'mails to visitors on trial', most: 100, within: DAY };

/** The team's side of conversations. */
export function openConversation({ platform, forms, billing, links, send }: ConversationDependencies) {
  return {
    async get({ scope }, { feedbackId }) {
      const item = await feedback.byId(scope, feedbackId);
      return item ? { status: 'ok', conversation: await store.read(scope, item) } : NOT_FOUND;
    },
    async answer({ scope, person }, { feedbackId, text, idempotencyKey: key }) {
      if (!(await feedback.byId(scope, feedbackId))) return NOT_FOUND;
      await store.lock(scope, feedbackId);
      // Read after the lock, because its visitor may just have erased it.
      const item = await feedback.byId(scope, feedbackId);
      if (!item) return NOT_FOUND;
      const before = await store.read(scope, item);
      if (await store.isSent(scope, feedbackId, key)) return { status: 'ok', conversation: before };
      checkMayAnswer(before);
      await countWithin(scope, ANSWERS, person.userId);
      const id = conversationMessageId(platform.random);
      const deliveryId = await mailAnswer(scope, item, text);
      await store.addMessage(scope, { id, feedbackId, author: scope.actor, text, key, deliveryId });
      await setReply(scope, feedbackId, 'sent');
      await record(scope, 'conversation.answered', { subject: feedbackId, data: { propertyId: item.data.projectId, messageId: id } });
      return { status: 'ok', conversation: await store.read(scope, { ...item, data: { ...item.data, reply: 'sent' } }) };
    },
    close: ({ scope }, { feedbackId }) => setClosed(scope, feedbackId, true),
    reopen: ({ scope }, { feedbackId }) => setClosed(scope, feedbackId, false),
  } satisfies Handlers<typeof conversationOperations>;

  /** Mails an answer to a visitor who left an address, with a link to the private page. Returns the delivery's id. */
  async function mailAnswer(scope: AccountScope, item: Feedback, text: string): Promise<string | undefined> {
    const { formId, projectId, language: chosen } = item.data;
    const to = store.emailOf(item);
    const [property, target] = [await properties.byId(scope, projectId), await forms.byId(formId)];
    if (to === undefined || !property) return undefined;
    if (await billing.isTrial(scope)) await countWithin(scope, TRIAL_MAILS, scope.accountId);
    await countWithin(scope, MAILS, to.toLowerCase());
    const language = chosen ?? target?.form.data.language ?? 'en';
    const place = property.data.displayName;
    const { mailTitle, mailOpen, mailWhy } = WORDS[language].conversation;
    const words = { title: filled(mailTitle, { place }), open: mailOpen, why: filled(mailWhy, { place }) };
    const props = { language, words, place, text, link: await links.create(scope, item.id) };
    return (await send(scope, { to, mail: 'visitor-answer', props, reason: 'conversation.answered' })).id;
  }
}

/** Closes or reopens a conversation, and records a change. */
async function setClosed(
  scope: AccountScope,
  feedbackId: string,
  isClosed: boolean,
): Promise<{ status: 'ok'; conversation: Conversation } | typeof NOT_FOUND> {
  const item = await feedback.byId(scope, feedbackId);
  if (!item) return NOT_FOUND;
  await store.lock(scope, feedbackId);
  const before = await store.read(scope, item);
  if ((before.closed !== undefined) === isClosed) return { status: 'ok', conversation: before };
  await store.change(scope, feedbackId, isClosed ? { closed: scope.now, closedBy: scope.actor } : { closed: null, closedBy: null });
  const data = { propertyId: item.data.projectId };
  await record(scope, isClosed ? 'conversation.closed' : 'conversation.reopened', { subject: feedbackId, data });
  return { status: 'ok', conversation: await store.read(scope, item) };
}
