import { badField } from '#contract/core/errors.ts';
import { messageId, type RandomBytes } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR } from '#contract/core/time.ts';
import type { messageOperations } from '#contract/message/message.ts';
import { record } from '../event/store.ts';
import { PICTURE_FAULTS, type Pictures } from '../platform/images/images.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { type Handlers, Slow } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as store from './store.ts';

interface MessageRoom {
  readonly random: RandomBytes;
  readonly pictures: Pick<Pictures, 'fit'>;
}

/** From teams to those who run the installation. */
export function openMessage({ random, pictures }: MessageRoom) {
  return {
    async save({ scope, person }, { idempotencyKey: key, payload: { data } }) {
      const before = await store.byKey(scope, key);
      if (before) return { status: 'ok', message: before };
      await countWithin(scope, MESSAGES, person.userId);
      const { screenshot, ...said } = data;
      if (screenshot === undefined) return add(scope, { ...said, key });
      return new Slow(async () => {
        const drawn = await drawAnew(screenshot, person.userId);
        return (again) => add(again.scope, { ...said, key, screenshot: drawn });
      });
    },
    async list({ scope }, query) {
      return { status: 'ok', ...(await store.list(scope, query)) };
    },
    async screenshot({ scope }, named) {
      const screenshot = await store.screenshot(scope, named);
      return screenshot === undefined ? NOT_FOUND : { status: 'ok', screenshot };
    },
    async handle({ scope }, named) {
      const message = await store.handle(scope, named);
      return message ? { status: 'ok', message } : NOT_FOUND;
    },
    async delete({ scope }, named) {
      return (await store.remove(scope, named)) ? { status: 'ok' } : NOT_FOUND;
    },
  } satisfies Handlers<typeof messageOperations>;

  async function add(scope: AccountScope, said: Omit<Parameters<typeof store.insert>[1], 'id'>) {
    const message = await store.insert(scope, { id: messageId(random), ...said });
    if (message) await record(scope, 'message.sent', { subject: message.id, data: { kind: message.data.kind } });
    // The same was sent twice at once: the other call has told of it.
    const stored = message ?? (await store.byKey(scope, said.key));
    return stored ? ({ status: 'ok', message: stored } as const) : NOT_FOUND;
  }

  async function drawAnew(screenshot: string, by: string): Promise<string> {
    const result = await pictures.fit(screenshot, by);
    if ('fault' in result) throw badField('payload.data.screenshot', PICTURE_FAULTS[result.fault]);
    return result.drawn;
  }
}

/** Of one person. */
const MESSAGES = { name: 'messages', most: 10, within: HOUR };
