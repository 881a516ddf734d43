import * as v from 'valibot';
import { DAY } from '#contract/core/time.ts';
import { inTab } from '../../data/storage.ts';

const KEY = 'afterword.new-email';

const kept = v.object({ userId: v.string(), email: v.string(), until: v.number() });

/** The new address that waits for its code, as long as the code lives: a reload, or a look at the mail in this tab, comes back to it. */
export const pendingEmail = {
  keep(userId: string, email: string): void {
    inTab.setItem(KEY, JSON.stringify({ userId, email, until: Date.now() + DAY }));
  },
  read(userId: string): string | undefined {
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), kept), inTab.getItem(KEY));
    return read.success && read.output.userId === userId && read.output.until > Date.now() ? read.output.email : undefined;
  },
  forget: (): void => inTab.removeItem(KEY),
};
