import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Comment } from '#contract/comment/comment.ts';
import type { Conversation } from '#contract/conversation/conversation.ts';
import { account, dana, noor, pier, sam } from '#fixtures/business.ts';
import { sampleFeedback } from '#fixtures/feedback.ts';
import { effectOf } from './effects.ts';
import { CallError } from './errors.ts';
import {
  accountQuery,
  commentsQuery,
  conversationQuery,
  historyQuery,
  inboxQuery,
  itemQuery,
  propertiesQuery,
  sessionsQuery,
  userQuery,
  usersQuery,
} from './queries.ts';
import type { DataSource } from './source.ts';

const source: DataSource = {
  id: 'server',
  call: () => Promise.reject(new Error('These tests call no operation')),
  listen: () => () => undefined,
};
const people = usersQuery(source, account.id).queryKey;
const renamed = { ...sam, data: { ...sam.data, displayName: 'Aaron Lee' } };

let client: QueryClient;
beforeEach(() => {
  client = new QueryClient();
  client.setQueryData(people, [dana, noor, sam]);
});

const isStale = (queryKey: readonly unknown[]) => client.getQueryState(queryKey)?.isInvalidated;

describe('effectOf', () => {
  it('updates a person in the sorted list, and in their own query if it was loaded', () => {
    client.setQueryData(userQuery(source, sam.id).queryKey, sam);
    const sent = { payload: { id: sam.id, data: { displayName: 'Aaron Lee' } } };
    effectOf('user', 'save', { client, source }).onSuccess({ status: 'ok', user: renamed }, sent);
    expect(client.getQueryData(people)).toEqual([renamed, dana, noor]);
    expect(client.getQueryData(userQuery(source, sam.id).queryKey)).toEqual(renamed);
    effectOf('user', 'save', { client, source }).onSuccess({ status: 'ok', user: noor }, sent);
    expect(client.getQueryData(userQuery(source, noor.id).queryKey)).toBeUndefined();
  });

  it('puts a new comment first, updates one in place, removes a deleted one, and counts each once', () => {
    const feedbackId = 'EXPERIENCE_20261120_1795132800000_a1B2c';
    const commentWith = (id: string, text = id): Comment => ({
      id: `COMMENT_${id}`,
      sk: 'COMMENT',
      gs1sk: feedbackId,
      data: { created: 1, createdBy: sam.id, feedbackId, propertyId: pier.id, accountId: account.id, text },
    });
    const { queryKey } = commentsQuery(source, feedbackId);
    const pageOf = (comments: Comment[], cursor: string | null) => ({ status: 'ok' as const, comments, cursor, count: 3 });
    client.setQueryData(queryKey, {
      pages: [pageOf([commentWith('c'), commentWith('b')], 'x'), pageOf([commentWith('a')], null)],
      pageParams: [undefined, 'x'],
    });
    const shown = () =>
      client.getQueryData(queryKey)?.pages.map(({ comments, count }) => [comments.map(({ data }) => data.text).join(), count]);
    const save = (comment: Comment) =>
      effectOf('comment', 'save', { client, source }).onSuccess(
        { status: 'ok', comment },
        { payload: { id: comment.id, data: { text: comment.data.text } } },
      );
    save(commentWith('d'));
    save(commentWith('d'));
    save(commentWith('a', 'changed'));
    expect(shown()).toEqual([
      ['d,c,b', 4],
      ['changed', 4],
    ]);
    const remove = () => effectOf('comment', 'delete', { client, source }).onSuccess({ status: 'ok' }, { commentId: 'COMMENT_a' });
    remove();
    remove();
    expect(shown()).toEqual([
      ['d,c,b', 3],
      ['', 3],
    ]);
  });

  it('writes an answered conversation, and refetches its feedback, the history and the inbox', async () => {
    const [feedback] = sampleFeedback(Date.UTC(2026, 10, 20));
    if (!feedback) throw new Error('There is no sample feedback');
    const answered = { ...feedback, data: { ...feedback.data, reply: 'sent' as const } };
    // The stub returns part of the operation's answer.
    const answering = { ...source, call: async () => ({ status: 'ok', feedback: [answered] }) as never };
    const { id: feedbackId } = feedback;
    const conversation: Conversation = {
      feedbackId,
      reach: ['page'],
      messages: [{ id: 'CONVERSATIONMESSAGE_a1B2', text: 'Sorry!', sent: 1 }],
    };
    const stale = [inboxQuery(source, account.id), historyQuery(source, feedbackId)].map(({ queryKey }) => queryKey as readonly unknown[]);
    for (const queryKey of stale) client.setQueryData(queryKey, {});
    const sent = { idempotencyKey: 'k'.repeat(24), feedbackId, text: 'Sorry!' };
    effectOf('conversation', 'answer', { client, source: answering }).onSuccess({ status: 'ok', conversation }, sent);
    expect(client.getQueryData(conversationQuery(source, feedbackId).queryKey)).toEqual(conversation);
    expect(stale.map(isStale)).toEqual([true, true]);
    await expect.poll(() => client.getQueryData(itemQuery(source, feedbackId).queryKey)).toEqual(answered);
  });

  it('begins a fetch again that would overwrite the change', async () => {
    const open: Conversation = { feedbackId: 'EXPERIENCE_1', reach: ['page'], messages: [] };
    const closed = { ...open, closed: { at: 1, by: dana.id } };
    let answerEarly = (_answer: { conversation: Conversation }): void => {};
    const early = new Promise<{ conversation: Conversation }>((resolve) => {
      answerEarly = resolve;
    });
    const answers = [early, Promise.resolve({ conversation: open })];
    // The stub returns part of the operation's answer.
    const reading = { ...source, call: () => answers.shift() as never };
    const query = conversationQuery(reading, open.feedbackId);
    client.setQueryData(query.queryKey, closed);
    const fetched = client.query({ ...query, staleTime: 0 });
    effectOf('conversation', 'reopen', { client, source }).onSuccess({ status: 'ok', conversation: open }, { feedbackId: open.feedbackId });
    answerEarly({ conversation: closed });
    await fetched;
    expect(client.getQueryData(query.queryKey)).toEqual(open);
    expect(answers).toEqual([]);
  });

  it('adds and removes people', () => {
    effectOf('user', 'delete', { client, source }).onSuccess({ status: 'ok' }, { userId: noor.id });
    expect(client.getQueryData(people)).toEqual([dana, sam]);
    const { displayName, emailAddress, level } = noor.data;
    const invited = { success: true, data: { user: noor } } as const;
    effectOf('user', 'generate', { client, source }).onSuccess(invited, { payload: { data: { displayName, emailAddress, level } } });
    expect(client.getQueryData(people)).toEqual([dana, noor, sam]);
  });

  it('writes the account and its first property at the last sign-up step', () => {
    const form = { id: pier.data.formId } as never;
    effectOf('account', 'getStarted', { client, source }).onSuccess(
      { status: 'ok', account, property: pier, form },
      { businessName: 'Pier 4' },
    );
    expect(client.getQueryData(accountQuery(source, account.id).queryKey)).toEqual(account);
    expect(client.getQueryData(propertiesQuery(source, account.id).queryKey)).toEqual([pier]);
  });

  it('refetches what the answer lacks, and after a refusal', () => {
    client.setQueryData(sessionsQuery(source).queryKey, []);
    effectOf('user', 'endSession', { client, source }).onSuccess({ status: 'ok' }, { sessionId: crypto.randomUUID() });
    expect(isStale(sessionsQuery(source).queryKey)).toBe(true);
    expect(isStale(people)).toBe(false);
    effectOf('user', 'delete', { client, source }).onError();
    expect(isStale(people)).toBe(true);
    const ofAccount = accountQuery(source, account.id).queryKey;
    client.setQueryData(ofAccount, account);
    effectOf('tag', 'save', { client, source }).onError(new CallError('', { code: 'too-many' }));
    expect(isStale(ofAccount)).toBe(false);
    effectOf('tag', 'save', { client, source }).onError(new CallError('', { code: 'subscription-ended' }));
    expect(isStale(ofAccount)).toBe(true);
  });

  it('changes nothing for an action without an entry', () => {
    effectOf('user', 'resend', { client, source }).onSuccess({ status: 'ok', user: renamed }, { userId: sam.id });
    expect(client.getQueryData(people)).toEqual([dana, noor, sam]);
    expect(isStale(people)).toBe(false);
  });
});
