import type { Account } from '#contract/account/account.ts';
import { nextSignUpStep, type SignUpStep } from '#contract/billing/billing.ts';
import type { UseActionResult } from '../../data/useAction.ts';
import type { Stage } from '../../session/gate.ts';

export interface SignUpState {
  readonly stage: Stage;
  readonly account: Account | undefined;
  readonly isUserMissing: boolean;
  /** Whether plans are chosen and paid for here. */
  readonly isBilled: boolean;
}

/** The steps that are shown: without billing, Get Started follows Create An Account. */
export const stepsOf = (isBilled: boolean): readonly SignUpStep[] => (isBilled ? [0, 1, 2, 3] : [0, 3]);

/** The step that a person is at (docs/rules.md#sign-up-steps); undefined while that is being looked up. */
export function stepOf({ stage, account, isUserMissing, isBilled }: SignUpState): SignUpStep | undefined {
  if (stage === 'unauthenticated' || isUserMissing) return 0;
  if (!account) return undefined;
  return isBilled ? nextSignUpStep(account.data.subscription) : 3;
}

/** The step to show where the history leads to `kept`: one that the account has come to, and not the making of the account again. */
export const stepAt = (actual: SignUpStep | undefined, kept: SignUpStep | undefined): SignUpStep | undefined =>
  !actual || !kept || kept > actual ? actual : kept;

/** Where another tab or a lost answer was faster there is nothing to say: the account is read anew and goes on from where it is. */
export const failureOf = (step: Pick<UseActionResult<unknown, unknown, 'conflict'>, 'failure' | 'isRefused'>): string | undefined =>
  step.isRefused('conflict') ? undefined : step.failure;
