import { afterAll, beforeAll, expect, it } from 'vitest';
import { MOST_KEYS } from '#contract/api-key/api-key.ts';
import { MOST_SAVED_REPLIES } from '#contract/saved-reply/saved-reply.ts';
import { MOST_OWN_VIEWS } from '#contract/saved-view/saved-view.ts';
import { MOST_ACCOUNT_TAGS } from '#contract/tag/tag.ts';
import { MOST_TOPICS } from '#contract/topic/topic.ts';
import { type Answered, openTestApp, type TestApp } from '../../test/support/app.ts';
import { atOnce } from '../../test/support/at-once.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.stop());

const LIMITS = [
  { service: 'tag', action: 'save', table: 'tag', most: MOST_ACCOUNT_TAGS, data: {} },
  { service: 'topic', action: 'save', table: 'topic', most: MOST_TOPICS, data: { phrases: [] } },
  { service: 'savedReply', action: 'save', table: 'saved_reply', most: MOST_SAVED_REPLIES, data: { text: 'Thank you' } },
  {
    service: 'savedView',
    action: 'save',
    table: 'saved_view',
    most: MOST_OWN_VIEWS,
    data: { isShared: false, shows: { feed: 'account', filters: {} } },
  },
  { service: 'apiKey', action: 'create', table: 'api_key', most: MOST_KEYS, data: { scopes: ['export'] } },
];

it.each(LIMITS)(
  'an account has at most $most of $table, also if they are added at the same moment',
  async ({ service, action, table, most, data }) => {
    const token = await app.signIn();
    const add = (name: string): Promise<Answered> =>
      app.call(service, action, { payload: { data: { ...data, displayName: name } } }, token);
    await app.stored(`delete from ${table}`);
    for (let count = 1; count < most; count += 1) expect((await add(`Number ${count}`)).status).toBe(200);
    const answers = await atOnce(
      app,
      table,
      ['The last', 'Too many', 'Far too many'].map((name) => () => add(name)),
    );
    expect(answers.map(({ body }) => body.code ?? body.status).sort()).toEqual(['conflict', 'conflict', 'ok']);
  },
);
