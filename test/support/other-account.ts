import { randomUUID } from 'node:crypto';
import { defaultSteps } from '#contract/steps.ts';
import * as accounts from '../../server/account/store.ts';
import type { App } from '../../server/app.ts';
import * as subscriptions from '../../server/billing/store.ts';
import * as feedback from '../../server/feedback/store.ts';
import * as forms from '../../server/form/store.ts';
import { inAccount } from '../../server/kernel/access.ts';
import * as properties from '../../server/property/store.ts';
import * as users from '../../server/user/store.ts';
import { SAMPLE_PASSWORD } from './app.ts';

/** Stands in every text of the other account: nobody else may ever read it. */
export const CANARY = 'CANARY-of-Bay-Bakery';

/** Another business in the same database: the ids of its records, which tests of isolation ask for. */
export const otherAccount = {
  accountId: 'ACCOUNT_BayBakery',
  userId: 'USER_0d6f1c1e-7a52-4a43-9c0e-2f8e6a1b4c01',
  memberId: 'USER_0d6f1c1e-7a52-4a43-9c0e-2f8e6a1b4c02',
  propertyId: 'PROPERTY_BayBakeryQuay',
  formId: 'FORM_BayQ01',
  feedbackId: 'EXPERIENCE_20261120_1795132800000_canry',
  email: 'rosa@baybakery.test',
  memberEmail: 'tom@baybakery.test',
} as const;

export async function addOtherAccount({ kernel, signUp }: App): Promise<void> {
  const created = new Date(1_795_000_000_000);
  await inAccount(kernel, { accountId: otherAccount.accountId, actor: otherAccount.userId }, async (scope) => {
    await accounts.insert(scope, { created, displayName: `${CANARY} account` });
    await subscriptions.insert(scope, { status: 'active', plan: 'Pro', onboardedAt: created });
    for (const [id, level, emailAddress] of [
      [otherAccount.userId, 'admin', otherAccount.email],
      [otherAccount.memberId, 'user', otherAccount.memberEmail],
    ] as const) {
      await users.insert(scope, { id, created, createdBy: otherAccount.userId, displayName: `${CANARY} person`, emailAddress, level });
      await signUp(scope.db, { sub: id.slice('USER_'.length), email: emailAddress, password: SAMPLE_PASSWORD });
    }
    const place = { id: otherAccount.propertyId, formId: otherAccount.formId, author: otherAccount.userId, complaints: [], weekly: [] };
    await properties.insert(scope, { ...place, created, displayName: `${CANARY} quay`, service: [] });
    const steps = defaultSteps([], randomUUID);
    await forms.insert(scope, {
      id: otherAccount.formId,
      propertyId: otherAccount.propertyId,
      steps,
      inviteToReview: 'good',
      saved: created,
      savedBy: otherAccount.userId,
    });
  });
  await feedback.insertMany(
    kernel.database,
    [
      {
        accountId: otherAccount.accountId,
        id: otherAccount.feedbackId,
        propertyId: otherAccount.propertyId,
        formId: otherAccount.formId,
        formVersion: 1,
        keyHash: 'ab'.repeat(32),
        suspected: undefined,
        created: 1_795_132_800_000,
        rating: 1,
        urgent: true,
        kind: 'complaint',
        source: 'open text',
        text: `${CANARY} text`,
        converted: undefined,
        responses: [],
        diagnostics: undefined,
        url: undefined,
      },
    ],
    { lane: 0, subscribedNames: [] },
  );
}

/** A business whose account was deleted: its people still have tokens, and nothing else. */
export const locked = {
  accountId: 'ACCOUNT_LockedInn',
  userId: 'USER_0d6f1c1e-7a52-4a43-9c0e-2f8e6a1b4c03',
  email: 'lea@lockedinn.test',
} as const;

export async function addLocked({ kernel, signUp }: App): Promise<void> {
  const created = new Date(1_795_000_000_000);
  await inAccount(kernel, { accountId: locked.accountId, actor: locked.userId }, async (scope) => {
    await accounts.insert(scope, { created, displayName: 'Locked Inn' });
    await subscriptions.insert(scope, { status: 'active', plan: 'Pro', onboardedAt: created });
    const { userId: id, email } = locked;
    await users.insert(scope, { id, created, createdBy: id, displayName: 'Lea', emailAddress: email, level: 'admin' });
    await signUp(scope.db, { sub: id.slice('USER_'.length), email, password: SAMPLE_PASSWORD });
  });
}
