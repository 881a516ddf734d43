import type { accountOperations } from '#contract/account.ts';
import { billingDay, planPrice, trialEnd } from '#contract/billing.ts';
import { badField, refusal } from '#contract/errors.ts';
import type { Form, Invitation } from '#contract/form.ts';
import type { Property } from '#contract/property.ts';
import type { Service } from '#contract/review.ts';
import { NOT_FOUND } from '#contract/schema.ts';
import type { TellMail } from '../events.ts';
import type { AccountScope } from '../kernel/access.ts';
import type { Kernel } from '../kernel/context.ts';
import type { Handlers } from '../kernel/dispatch.ts';
import * as store from './store.ts';

interface AccountRoom {
  readonly kernel: Pick<Kernel, 'now' | 'log'>;
  readonly tell: TellMail;
  /** Makes a property with its form, in the caller's transaction. */
  readonly firstProperty: (scope: AccountScope, first: FirstProperty) => Promise<{ property: Property; form: Form }>;
  /** Who stands behind a user id of the account. */
  readonly personOf: (scope: AccountScope, userId: string) => Promise<{ emailAddress: string; displayName: string } | undefined>;
}

export interface FirstProperty {
  readonly displayName: string;
  readonly service: Service[];
  readonly inviteToReview: Invitation;
  readonly by: string;
}

const SET_UP = 'This account is set up already. Plans are changed in the account’s settings.';

export function openAccount({ kernel, tell, firstProperty, personOf }: AccountRoom) {
  return {
    async get({ scope }) {
      return found(await store.current(scope));
    },
    async save({ scope }, { payload }) {
      return payload.id === scope.accountId ? found(await store.rename(scope, payload.data.displayName)) : NOT_FOUND;
    },
    async choosePlan({ scope }, { plan, paymentFrequency }) {
      const signUp = await store.heldSignUp(scope);
      if (signUp?.onboardedAt) throw refusal('conflict', SET_UP);
      return found(
        await store.change(scope, { plan, paymentFrequency, cost: planPrice(plan, paymentFrequency), startDate: null, billingDate: null }),
      );
    },
    /** The trial's instants are set once, whatever is chosen later (billing.md, traps 2 and 3). */
    async startTrial({ scope }) {
      const signUp = await store.heldSignUp(scope);
      if (!signUp) return NOT_FOUND;
      if (signUp.onboardedAt) throw refusal('conflict', SET_UP);
      if (signUp.plan === null) throw refusal('conflict', 'Choose a plan first.');
      const now = kernel.now();
      const trialStartedAt = signUp.trialStartedAt ?? new Date(now);
      const trialEndsAt = signUp.trialEndsAt ?? new Date(trialEnd(now));
      const billingDate = billingDay(trialEndsAt.getTime());
      return found(await store.change(scope, { startDate: signUp.startDate ?? new Date(now), billingDate, trialStartedAt, trialEndsAt }));
    },
    async getStarted({ scope, person }, { businessName, services, inviteToReview }) {
      const signUp = await store.heldSignUp(scope);
      if (!signUp) return NOT_FOUND;
      if (signUp.onboardedAt) throw refusal('conflict', SET_UP);
      if (signUp.startDate === null || signUp.trialEndsAt === null) throw refusal('conflict', 'Review your plan first.');
      const now = new Date(kernel.now());
      const made = await firstProperty(scope, { displayName: businessName, service: services, inviteToReview, by: person.userId });
      const restarted = signUp.trialEndsAt <= now && { trialStartedAt: now, trialEndsAt: new Date(trialEnd(now.getTime())) };
      const account = await store.change(scope, { status: 'active', startDate: now, onboardedAt: now, ...restarted });
      return account ? { status: 'ok', account, ...made } : NOT_FOUND;
    },
    async notify({ scope, person }, { payload, ignore, debug }) {
      const [account, caller] = [await store.current(scope), await personOf(scope, person.userId)];
      if (!account || !caller || payload.id !== account.id) return NOT_FOUND;
      if (ignore.emailAddress !== caller.emailAddress) throw badField('ignore.emailAddress', 'This must be your own address');
      const { displayName: company } = account.data;
      await tell(scope, 'account.created', { email: caller.emailAddress, name: caller.displayName, company });
      if (debug) kernel.log.info({ accountId: scope.accountId, subject: 'account.created' }, 'a mail was asked for');
      return { status: 'ok' };
    },
    async delete({ scope }, { displayName }) {
      const account = await store.current(scope);
      if (!account) return NOT_FOUND;
      if (displayName.trim() !== account.data.displayName) throw badField('displayName', 'Type the account’s name as it is written');
      await store.remove(scope, new Date(kernel.now()));
      return { status: 'ok' };
    },
    async list({ everywhere, person }, query) {
      await store.note(everywhere, {
        at: new Date(kernel.now()),
        by: person.userId,
        act: 'accounts.listed',
        subject: '',
        detail: query.search,
      });
      return { status: 'ok', ...(await store.everywhere(everywhere, query)) };
    },
    async masterDelete({ everywhere, person }, { accountId, reason }) {
      const at = new Date(kernel.now());
      if (!(await store.masterRemove(everywhere, accountId, at))) return NOT_FOUND;
      await store.note(everywhere, { at, by: person.userId, act: 'account.deleted', subject: accountId, detail: reason });
      return { status: 'ok' };
    },
    async auditLog({ everywhere }, query) {
      return { status: 'ok', ...(await store.auditLog(everywhere, query)) };
    },
  } satisfies Handlers<typeof accountOperations>;
}

const found = <A>(account: A | undefined) => (account ? ({ status: 'ok', account } as const) : NOT_FOUND);
