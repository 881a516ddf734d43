import type { Account } from '#contract/account/account.ts';
import { nextSignUpStep, type SignUpStep } from '#contract/billing/billing.ts';
import type { UseActionResult } from '../../data/useAction.ts';
import type { Stage } from '../../session/gate.ts';

export interface SignUpState {
  readonly stage: Stage;
  readonly account: Account | undefined;
  readonly isUserMissing: boolean;
  /** True if this installation has billing. */
  readonly isBilled: boolean;
}

/** Returns the steps to show. Without billing, Get Started follows Create An Account. */
export const stepsOf = (isBilled: boolean): readonly SignUpStep[] => (isBilled ? [0, 1, 2, 3] : [0, 3]);

/** Returns a person's step (docs/rules.md#sign-up-steps); undefined while loading. */
export function stepOf({ stage, account, isUserMissing, isBilled }: SignUpState): SignUpStep | undefined {
  if (stage === 'unauthenticated' || isUserMissing) return 0;
  if (!account) return undefined;
  return isBilled ? nextSignUpStep(account.data.subscription) : 3;
}

/** Returns the history's step if the account has reached it and it isn't the first; otherwise the account's step. */
export const stepAt = (actual: SignUpStep | undefined, fromHistory: SignUpStep | undefined): SignUpStep | undefined =>
  !actual || !fromHistory || fromHistory > actual ? actual : fromHistory;

/** Returns a step's failure. A conflict isn't one: another tab or a lost response completed the step, and the reloaded account shows the next. */
export const failureOf = (step: Pick<UseActionResult<unknown, unknown, 'conflict'>, 'failure' | 'isRefused'>): string | undefined =>
  step.isRefused('conflict') ? undefined : step.failure;
