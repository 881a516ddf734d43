import { LRUCache } from 'lru-cache';
import { refusal } from '#contract/core/errors.ts';
import { placementOf } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR } from '#contract/core/time.ts';
import { SYSTEM, VISITOR } from '#contract/event/event.ts';
import type { Kiosk, KioskAnswer, kioskOperations } from '#contract/kiosk/kiosk.ts';
import { LONGEST_AGE } from '#contract/kiosk/kiosk-page.ts';
import { record } from '../event/store.ts';
import type { Intake } from '../feedback/intake.ts';
import * as feedback from '../feedback/store.ts';
import type { FormReader } from '../form/store.ts';
import type { Platform } from '../platform/context.ts';
import { hostOf } from '../platform/http/network.ts';
import { refusalOf } from '../platform/http/problem.ts';
import { sha256 } from '../platform/sha256.ts';
import { type AccountScope, actingAs, inAccount, inEveryAccount } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { openFairQueue } from '../platform/tenancy/fair-queue.ts';
import { countWithin, openGate } from '../platform/tenancy/rate-limit.ts';
import { contentOf } from './content.ts';
import { unpair } from './kiosk.ts';
import * as store from './store.ts';

/** The operations of a tablet, which has no signed-in person. */
export type TabletActions = 'pair' | 'report' | 'deliver' | 'leave';

interface TabletOptions {
  readonly platform: Platform;
  readonly forms: FormReader;
  readonly intake: Pick<Intake, 'submit'>;
  /** The newest version of the kiosk's page. */
  readonly version: string;
}

/** Per network: enough for someone who sets up a shop's tablets, and too few to guess a code. @limit kiosks */
const PAIRINGS = { name: 'pairing kiosks', most: 30, within: HOUR };
/** Per kiosk, whose token may be stolen: 50,000 answers. @limit kiosks */
const DELIVERIES = { name: 'deliveries of a kiosk', most: 1_000, within: HOUR };
/** Per kiosk. A tablet reports 60 times, and again whenever its network returns. @limit kiosks */
const REPORTS = { name: 'reports of a kiosk', most: 600, within: HOUR };
/** Per network, for tokens that were revoked or never given. @limit kiosks */
const WRONG_TOKENS = { name: 'wrong tokens of kiosks', most: 100, within: HOUR };
/** For tokens that this process hasn't accepted yet, such as invented ones (ms). @limit kiosks */
const STRANGERS = { most: 2, waiting: 100, patience: 2_000 };

const MOST_ACCEPTED = 10_000;
const TOKEN_BYTES = 32;

/** A tablet's operations. Its token stands for the account and the kiosk. */
export function openTablet({ platform, forms, intake, version }: TabletOptions) {
  const admit = openGate(platform, PAIRINGS);
  const admitWrongToken = openGate(platform, WRONG_TOKENS);
  const strangers = openFairQueue(STRANGERS);
  const acceptedTokens = new LRUCache<string, true>({ max: MOST_ACCEPTED });
  return {
    async pair({ address }, { code }) {
      await admit(hostOf(address));
      const codeHash = sha256(code);
      const accountId = await inEveryAccount(platform, (scope) => store.accountOfCode(scope, codeHash));
      if (accountId === undefined) return NOT_FOUND;
      const token = `${accountId}.${Buffer.from(platform.random(TOKEN_BYTES)).toString('base64url')}`;
      const paired = await inAccount(platform, { accountId, actor: VISITOR }, async (scope) => {
        const id = await store.pair(scope, { codeHash, tokenHash: sha256(token) });
        const stored = id === undefined ? undefined : await store.byId(scope, id);
        if (stored) await record(scope, 'kiosk.paired', { subject: stored.kiosk.id, data: { propertyId: stored.kiosk.gs1sk } });
        return stored;
      });
      const shown = paired && (await contentOf(forms, paired));
      return shown ? { status: 'ok', token, ...shown } : NOT_FOUND;
    },
    async report(visitor, { token, waiting, version: running, revision }) {
      const stored = await asKiosk(visitor, token, async (scope, { kiosk: { id, gs1sk: propertyId, data } }) => {
        await countWithin(scope, REPORTS, id);
        await store.change(scope, id, { seen: scope.now, waiting, version: running, silent: null });
        if (data.silent !== undefined) await record(scope, 'kiosk.back', { subject: id, data: { propertyId } });
      });
      const shown = await contentOf(forms, stored);
      if (!shown) throw refusal('kiosk-gone');
      return { status: 'ok', version, ...(shown.revision !== revision && { changed: shown }) };
    },
    async deliver(visitor, { token, answers }) {
      const { kiosk } = await asKiosk(visitor, token, (scope, stored) => countWithin(scope, DELIVERIES, stored.kiosk.id));
      const saved = await Promise.all(answers.map((answer) => save(kiosk, answer)));
      const ids = saved.flatMap(({ id }) => id ?? []);
      await inAccount(platform, { accountId: kiosk.data.accountId, actor: VISITOR }, (scope) => feedback.markLate(scope, ids));
      return { status: 'ok', refused: saved.flatMap(({ refused }) => refused ?? []) };
    },
    async leave(visitor, { token }) {
      await asKiosk(visitor, token, (scope, { kiosk }) => unpair(scope, kiosk));
      return { status: 'ok' };
    },
  } satisfies Pick<Handlers<typeof kioskOperations>, TabletActions>;

  /**
   * Runs `work` in the account of a token, for its kiosk. Refuses a token that was revoked or never given. Accepted tokens wait behind
   * their account's visitors, others behind each other, because an invented one may name any account.
   */
  async function asKiosk(
    { address }: { readonly address: string },
    token: string,
    work: (scope: AccountScope, stored: store.StoredKiosk) => Promise<void>,
  ): Promise<store.StoredKiosk> {
    const [accountId = ''] = token.split('.');
    const [network, hash] = [hostOf(address), sha256(token)];
    const name = hash.toString('base64url');
    const run = (actor: string) =>
      inAccount(platform, { accountId, actor }, async (scope) => {
        const stored = await store.byToken(scope, hash);
        if (stored) await work(actingAs(scope, VISITOR), stored);
        return stored;
      });
    const isAccepted = acceptedTokens.has(name);
    if (!isAccepted) admitWrongToken.check(network);
    const kiosk = await (isAccepted ? run(VISITOR) : strangers.run('strangers', () => run(SYSTEM)));
    if (kiosk) {
      acceptedTokens.set(name, true);
      return kiosk;
    }
    acceptedTokens.delete(name);
    await admitWrongToken(network);
    throw refusal('kiosk-gone');
  }

  /** Stores an answer, dated to when it was given. One that can never be stored is refused, so that it doesn't hold up the rest. */
  async function save(
    { id, gs1sk, data: { accountId } }: Kiosk,
    { key, age, formId, isRepeat, ...answer }: KioskAnswer,
  ): Promise<{ readonly id?: string; readonly refused?: string }> {
    const target = await forms.byId(formId);
    if (target?.accountId !== accountId || target.form.data.propertyId !== gs1sk) return { refused: key };
    const created = platform.now() - Math.min(Math.round(age), LONGEST_AGE);
    try {
      return await intake.submit(target, { ...answer, key, created, isRepeat, at: placementOf(id) });
    } catch (error) {
      const reason = refusalOf(error);
      if (!reason || reason.status >= 500) throw error;
      platform.log.warn({ kiosk: id, code: reason.code }, 'an answer of a kiosk was refused');
      return { refused: key };
    }
  }
}
