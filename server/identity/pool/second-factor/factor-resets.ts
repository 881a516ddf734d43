import { FACTOR_RESET_DELAY } from '#contract/identity/identity.ts';
import { sha256 } from '../../../platform/sha256.ts';
import type { FactorReset, FactorResets } from '../../port.ts';
import { newLinkKey } from '../secrets/link-keys.ts';
import * as store from './second-factor-store.ts';

/** Pending resets of a second factor. Shared by both pools; each pool does the reset in its own way. */
export const openFactorResets = ({ now }: { readonly now: () => number }): FactorResets => ({
  async ask(db, { sub, askedBy }) {
    const key = newLinkKey();
    const requested = now();
    const due = requested + FACTOR_RESET_DELAY;
    await store.putReset(db, { sub, askedBy, asked: new Date(requested), due: new Date(due), key: sha256(key) });
    return { key, due };
  },
  of: async (db, sub) => resetOf(await store.resetOf(db, sub)),
  withdraw: async (db, sub) => (await store.removeReset(db, sub)) !== undefined,
  refuse: async (db, key) => (await store.removeResetByKey(db, sha256(key)))?.sub,
  due: (db) => store.dueResets(db, new Date(now())),
  takeDue: (db, sub) => store.takeDueReset(db, { sub, now: new Date(now()) }),
});

const resetOf = (row: store.FactorResetRow | undefined): FactorReset | undefined =>
  row && { askedBy: row.askedBy, asked: row.asked.getTime(), due: row.due.getTime() };
