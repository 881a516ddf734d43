import { badField } from '#contract/core/errors.ts';
import { messageId, type RandomBytes } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR } from '#contract/core/time.ts';
import type { messageOperations } from '#contract/message/message.ts';
import { record } from '../event/store.ts';
import { PICTURE_FAULTS, type Pictures } from '../platform/images/images.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { type Handlers, SlowWork } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as store from './store.ts';

interface MessageDependencies {
  readonly random: RandomBytes;
  readonly pictures: Pick<Pictures, 'fit'>;
}

/** Handles messages from teams to the operators. */
export function openMessage({ random, pictures }: MessageDependencies) {
  return {
    async save({ scope, person }, { idempotencyKey: key, payload: { data } }) {
      const before = await store.byKey(scope, key);
      if (before) return { status: 'ok', message: before };
      await countWithin(scope, MESSAGES, person.userId);
      const { screenshot, ...content } = data;
      if (screenshot === undefined) return add(scope, { ...content, key });
      return new SlowWork(async () => {
        const redrawn = await redraw(screenshot, person.userId);
        return ({ scope: later }) => add(later, { ...content, key, screenshot: redrawn });
      });
    },
    async list({ scope }, query) {
      return { status: 'ok', ...(await store.list(scope, query)) };
    },
    async screenshot({ scope }, ids) {
      const screenshot = await store.screenshot(scope, ids);
      return screenshot === undefined ? NOT_FOUND : { status: 'ok', screenshot };
    },
    async handle({ scope }, ids) {
      const message = await store.handle(scope, ids);
      return message ? { status: 'ok', message } : NOT_FOUND;
    },
    async delete({ scope }, ids) {
      return (await store.remove(scope, ids)) ? { status: 'ok' } : NOT_FOUND;
    },
  } satisfies Handlers<typeof messageOperations>;

  async function add(scope: AccountScope, row: Omit<Parameters<typeof store.insert>[1], 'id'>) {
    const message = await store.insert(scope, { id: messageId(random), ...row });
    if (message) await record(scope, 'message.sent', { subject: message.id, data: { kind: message.data.kind } });
    // A concurrent request with the same key stored it, and recorded the event.
    const stored = message ?? (await store.byKey(scope, row.key));
    return stored ? ({ status: 'ok', message: stored } as const) : NOT_FOUND;
  }

  async function redraw(screenshot: string, by: string): Promise<string> {
    const result = await pictures.fit(screenshot, by);
    if ('fault' in result) throw badField('payload.data.screenshot', PICTURE_FAULTS[result.fault]);
    return result.drawn;
  }
}

/** Messages to the operators per person. @limit messages */
const MESSAGES = { name: 'messages', most: 10, within: HOUR };
