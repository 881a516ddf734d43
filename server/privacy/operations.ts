import type { Conversation } from '#contract/conversation/conversation.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import {
  MOST_ERASED,
  MOST_IN_FILE,
  MOST_LISTED,
  type privacyOperations,
  retentionStart,
  type VisitorContact,
  visitorContact,
} from '#contract/privacy/privacy.ts';
import { eraseAnswer } from '../conversation/conversation.ts';
import * as conversations from '../conversation/store.ts';
import { record } from '../event/store.ts';
import * as feedback from '../feedback/store.ts';
import * as rights from '../feedback/visitor-rights.ts';
import { eraseRequests, requestsTo } from '../feedback-request/feedback-request.ts';
import type { RequestRow } from '../feedback-request/store.ts';
import type { Platform } from '../platform/context.ts';
import type { DeleteMail } from '../platform/mailer/send-mail.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import type { FairQueue } from '../platform/tenancy/fair-queue.ts';
import * as properties from '../property/store.ts';

interface PrivacyDependencies {
  readonly platform: Pick<Platform, 'random'>;
  /** Keeps one account's searches from occupying every processor. */
  readonly turns: FairQueue;
  readonly deleteMail: DeleteMail;
}

/** Answers requests of visitors about their data. */
export function openPrivacy({ platform, turns, deleteMail }: PrivacyDependencies) {
  return {
    async find({ scope }, { contact }) {
      const items = await search(scope, contact);
      return {
        status: 'ok',
        feedback: items.slice(0, MOST_LISTED),
        count: items.length,
        requests: (await requestsOf(scope, contact)).length,
      };
    },
    async file({ scope }, { contact }) {
      const items = await search(scope, contact);
      await record(scope, 'privacy.requested', { subject: scope.accountId, data: { answers: items.length } });
      const day = scope.now.toISOString().slice(0, 10);
      return { status: 'ok', name: `afterword-visitor-${day}.json`, content: await fileOf(scope, items, await requestsOf(scope, contact)) };
    },
    async erase({ scope }, { contact }) {
      const items = await search(scope, contact);
      const emailed = emailIn(contact);
      const requests = emailed === undefined ? 0 : await eraseRequests(scope, { platform, deleteMail }, emailed);
      const erased = items.slice(0, MOST_ERASED);
      for (const { id } of erased) await eraseAnswer(scope, id, deleteMail);
      if (erased.length + requests > 0)
        await record(scope, 'privacy.erased', {
          subject: scope.accountId,
          data: { answers: erased.length, ...(requests > 0 && { requests }) },
        });
      return { status: 'ok', erased: erased.length, left: items.length - erased.length };
    },
    async previewRetention({ scope }, { propertyId, months }) {
      if (!(await properties.byId(scope, propertyId))) return NOT_FOUND;
      const before = retentionStart(scope.now.getTime(), months);
      const count = await inTurn(scope, () => feedback.countErasable(scope, propertyId, before));
      return { status: 'ok', count };
    },
  } satisfies Handlers<typeof privacyOperations>;

  function inTurn<T>({ accountId }: AccountScope, read: () => Promise<T>): Promise<T> {
    return turns.run(`privacy ${accountId}`, read);
  }

  function search(scope: AccountScope, typed: string): Promise<Feedback[]> {
    // The contract accepts only contacts.
    const contact: VisitorContact = visitorContact(typed) ?? { email: '' };
    return inTurn(scope, () => rights.byContact(scope, contact, MOST_IN_FILE));
  }
}

/** Returns everything that visitors gave, and what the team wrote to them, as JSON for people. */
async function fileOf(scope: AccountScope, items: readonly Feedback[], requests: readonly RequestRow[]): Promise<string> {
  const names = new Map((await properties.all(scope)).map(({ id, data }) => [id, data.displayName]));
  const answers = [];
  for (const item of items) {
    const { projectId, created, rating, responses, textFeedback, contact, url, userId, diagnostics, language, orderNumber } = item.data;
    const data = {
      rating,
      text: textFeedback,
      contact,
      answers: responses,
      language,
      page: url,
      customerId: userId,
      orderNumber,
      ...diagnostics,
    };
    const { messages } = await conversations.read(scope, item);
    answers.push({
      id: item.id,
      property: names.get(projectId),
      given: new Date(created).toISOString(),
      ...data,
      messages: messages.map(messageOf),
    });
  }
  const feedbackRequests = requests.map(({ propertyId, email, name, language, created, visited, status, sent, reminded, answered }) => ({
    ...{ property: names.get(propertyId), email, name, language, added: created, visited, status, sent, reminded, answered },
  }));
  return JSON.stringify({ answers, feedbackRequests }, null, 2);
}

/** Returns the email address that someone typed; undefined for a phone number. */
function emailIn(typed: string): string | undefined {
  const contact = visitorContact(typed);
  return contact && 'email' in contact ? contact.email : undefined;
}

async function requestsOf(scope: AccountScope, typed: string): Promise<RequestRow[]> {
  const email = emailIn(typed);
  return email === undefined ? [] : requestsTo(scope, email);
}

const messageOf = ({ author, text, sent }: Conversation['messages'][number]) => ({
  from: author === undefined ? 'visitor' : 'team',
  sent: new Date(sent).toISOString(),
  text,
});
