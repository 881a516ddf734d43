import * as v from 'valibot';
import { DAY } from '#contract/core/time.ts';
import { inTab } from '../../data/storage.ts';

const KEY = 'afterword.new-email';

const stored = v.object({ userId: v.string(), email: v.string(), until: v.number() });

/** The new email waiting for its code, stored in the tab until the code expires, so that reloads return to it. */
export const pendingEmail = {
  save(userId: string, email: string): void {
    inTab.setItem(KEY, JSON.stringify({ userId, email, until: Date.now() + DAY }));
  },
  read(userId: string): string | undefined {
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), stored), inTab.getItem(KEY));
    return read.success && read.output.userId === userId && read.output.until > Date.now() ? read.output.email : undefined;
  },
  clear: (): void => inTab.removeItem(KEY),
};
