import type { Conversation } from '#contract/conversation/conversation.ts';
import { MOST_MESSAGES } from '#contract/conversation/messages.ts';
import { refusal } from '#contract/core/errors.ts';
import { conversationMessageId } from '#contract/core/ids.ts';
import { HOUR } from '#contract/core/time.ts';
import { VISITOR } from '#contract/event/event.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import type { Property } from '#contract/property/property.ts';
import * as accounts from '../account/store.ts';
import { record } from '../event/store.ts';
import * as feedback from '../feedback/store.ts';
import * as rights from '../feedback/visitor-rights.ts';
import type { FormReader, PublicForm } from '../form/store.ts';
import type { Platform } from '../platform/context.ts';
import { hostOf } from '../platform/http/network.ts';
import type { DeleteMail } from '../platform/mailer/send-mail.ts';
import { sha256 } from '../platform/sha256.ts';
import { type AccountScope, inAccount } from '../platform/tenancy/access.ts';
import { countWithin, openGate } from '../platform/tenancy/rate-limit.ts';
import * as properties from '../property/store.ts';
import { eraseAnswer, setReply } from './conversation.ts';
import type { ConversationLinks } from './links.ts';
import * as store from './store.ts';

interface VisitorDependencies {
  readonly platform: Platform;
  readonly forms: FormReader;
  readonly links: ConversationLinks;
  readonly deleteMail: DeleteMail;
}

interface SubmissionProof {
  readonly submissionKey: string;
  /** The visitor's IP address. */
  readonly address: string;
}

/** A conversation as its visitor sees it. */
export interface VisitorConversation {
  readonly item: Feedback;
  readonly property: Property;
  /** The form that the feedback was given on. */
  readonly target: PublicForm;
  readonly conversation: Conversation;
  /** When the link expires (UTC ms). */
  readonly until: number;
}

/** Per IPv4 address or /64, whatever key it sends. @limit conversations */
const TRIES = { name: 'requests for private pages', most: 300, within: HOUR };
/** Per link, whose holder is known. @limit conversations */
const REQUESTS = { name: 'requests by a private link', most: 600, within: HOUR };
/** Per conversation. @limit conversations */
const STARTS = { name: 'private pages of an answer', most: 10, within: HOUR };
const MESSAGES = { name: 'messages of a visitor', most: 20, within: HOUR };

/** The visitor's side of conversations. Undefined stands for a link that has expired, or never existed. */
export function openVisitor({ platform, forms, links, deleteMail }: VisitorDependencies) {
  const admitRequest = openGate(platform, REQUESTS);
  return {
    ...openPrivatePages({ platform, links }),
    read: (link: string): Promise<VisitorConversation | undefined> => withLink(link),
    /** Returns whether a link still leads to an answer. Its property may be deleted. */
    mayErase: async (link: string): Promise<boolean> => (await withKey(link, async () => true)) ?? false,
    /** Sends a message to the team, once for each key. Refuses one to a closed or full conversation, or on a page that asks for none. */
    write: (link: string, { key, text }: { readonly key: string; readonly text: string }): Promise<VisitorConversation | undefined> =>
      withLink(link, async (scope, current) => {
        const { item, conversation } = current;
        const { id, data } = item;
        if (await store.isSent(scope, id, key)) return;
        if (!store.hasConversation(item) || conversation.closed || conversation.messages.length >= MOST_MESSAGES) throw refusal('conflict');
        await countWithin(scope, MESSAGES, id);
        const messageId = conversationMessageId(platform.random);
        await store.addMessage(scope, { id: messageId, feedbackId: id, text, key });
        await store.change(scope, id, { seen: scope.now });
        await setReply(scope, id, 'received');
        await record(scope, 'conversation.received', { subject: id, data: { propertyId: data.projectId, messageId } });
      }),
    /** Notes that the visitor has read the team's answers until a time. */
    see: (link: string, until: Date): Promise<VisitorConversation | undefined> =>
      withLink(link, async (scope, current) => {
        const { id, data } = current.item;
        if (await store.see(scope, id, until))
          await record(scope, 'conversation.seen', { subject: id, data: { propertyId: data.projectId } });
      }),
    /** Replaces the rating and the words. */
    correct: (link: string, correction: Parameters<typeof rights.correct>[3]): Promise<VisitorConversation | undefined> =>
      withLink(link, async (scope, current) => {
        await rights.correct(scope, current.target, current.item, correction);
      }),
    /** Deletes the words, the contact details and the conversation, of a deleted property too. The link no longer works. */
    erase: (link: string): Promise<{ readonly current: VisitorConversation | undefined } | undefined> =>
      withKey(link, async (scope, key) => {
        const current = await conversationOf(scope, key);
        await eraseAnswer(scope, key.feedbackId, deleteMail);
        return { current };
      }),
    /** Reports a conversation to the admins, once. */
    report: (link: string): Promise<VisitorConversation | undefined> =>
      withLink(link, async (scope, current) => {
        const { id, data } = current.item;
        if (current.conversation.reported !== undefined) return;
        await store.change(scope, id, { reported: scope.now });
        await record(scope, 'conversation.reported', { subject: id, data: { propertyId: data.projectId } });
      }),
  };

  /** Runs `work` on the conversation of a link, which is locked, in its account. Returns the conversation as it was before. */
  function withLink(
    link: string,
    work: (scope: AccountScope, current: VisitorConversation) => Promise<void> = () => Promise.resolve(),
  ): Promise<VisitorConversation | undefined> {
    return withKey(link, async (scope, key) => {
      const current = await conversationOf(scope, key);
      if (current) await work(scope, current);
      return current;
    });
  }

  async function withKey<T>(link: string, work: (scope: AccountScope, key: store.ConversationKey) => Promise<T>): Promise<T | undefined> {
    const opened = links.open(link);
    if (!opened) return undefined;
    const { accountId, hash } = opened;
    await admitRequest(hash.toString('hex'));
    return inAccount(platform, { accountId, actor: VISITOR }, async (scope) => {
      const key = (await accounts.byScope(scope)) && (await store.byKey(scope, hash));
      return key && work(scope, key);
    });
  }

  /** Undefined for a deleted property. */
  async function conversationOf(
    scope: AccountScope,
    { feedbackId, until }: store.ConversationKey,
  ): Promise<VisitorConversation | undefined> {
    const item = await feedback.byId(scope, feedbackId);
    const property = item && (await properties.byId(scope, item.data.projectId));
    const target = item && (await forms.byId(item.data.formId));
    return property && target && { item, property, target, conversation: await store.read(scope, item), until };
  }
}

/** Opens private pages for holders of a submission's key. */
function openPrivatePages({ platform, links }: Pick<VisitorDependencies, 'platform' | 'links'>) {
  const admitTry = openGate(platform, TRIES);
  return {
    /** Opens the private page of the holder of a submission's key. Returns its link; undefined for an unknown key. */
    open: (target: PublicForm, proof: SubmissionProof): Promise<string | undefined> => openPage(target, proof, () => Promise.resolve()),
    /** Opens the page and asks the team for an answer. Refuses to ask if the property doesn't offer it. */
    ask: (target: PublicForm, proof: SubmissionProof): Promise<string | undefined> =>
      openPage(target, proof, async (scope, item) => {
        if (store.hasConversation(item)) return;
        const propertyId = item.data.projectId;
        const property = await properties.byId(scope, propertyId);
        if (property?.data.privateReplies === false) throw refusal('conflict', 'This property doesn’t offer private answers.');
        await setReply(scope, item.id, 'asked');
        await record(scope, 'conversation.opened', { subject: item.id, data: { propertyId } });
      }),
  };

  /** Creates a link for the holder of a submission's key, after `prepare`. */
  async function openPage(
    { accountId, form }: PublicForm,
    { submissionKey, address }: SubmissionProof,
    prepare: (scope: AccountScope, item: Feedback) => Promise<void>,
  ): Promise<string | undefined> {
    await admitTry(hostOf(address));
    return inAccount(platform, { accountId, actor: VISITOR }, async (scope) => {
      const keyHash = sha256(submissionKey).toString('hex');
      const answer = await feedback.byKey(scope, form.id, keyHash);
      // Undefined for a deleted property.
      const item = answer && (await accounts.byScope(scope)) && (await feedback.byId(scope, answer.id));
      if (!item) return undefined;
      await countWithin(scope, STARTS, item.id);
      await store.lock(scope, item.id);
      await prepare(scope, item);
      return links.create(scope, item.id);
    });
  }
}
