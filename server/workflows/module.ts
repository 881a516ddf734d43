import type { Billing } from '../billing/billing.ts';
import type { UserPool } from '../identity/port.ts';
import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import { finishDeletions, openAccountDeletion } from './account-deletion.ts';
import { openAccountInvitations } from './account-invitations.ts';
import { openOperator } from './operator.ts';
import { openPropertyWorkflow, openSubtractWork } from './property.ts';
import { openSecondFactor } from './second-factor.ts';
import { openSecondFactorResets, secondFactorWork } from './second-factor-resets.ts';
import { openGettingStarted, openSignUp } from './sign-up.ts';
import { openCheckout } from './subscription/checkout.ts';
import { openPayments } from './subscription/payments.ts';
import { openPlan } from './subscription/plan.ts';
import { openSubscriptions } from './subscriptions.ts';
import { openTeamWorkflow } from './team.ts';

interface WorkflowContext {
  readonly platform: Platform;
  readonly pool: UserPool;
  readonly send: SendMail;
  readonly billing: Billing;
}

/** Operations that change several modules in one transaction. */
export const workflows = ({ platform, pool, send: sendMail, billing }: WorkflowContext) => {
  const operator = openOperator({ billing });
  const people = { platform, pool, sendMail };
  return {
    handlers: {
      account: {
        ...openGettingStarted({ platform, billing }),
        ...openAccountDeletion({ billing }),
        ...openAccountInvitations(people),
        ...openCheckout({ platform, billing }),
        ...openPlan({ billing }),
        ...openPayments({ platform, billing }),
        ...openSubscriptions({ billing }),
        ...operator.account,
      },
      user: {
        ...openSignUp({ platform, pool, billing }),
        ...openTeamWorkflow(people),
        ...openSecondFactor(people),
        ...openSecondFactorResets(people),
        ...operator.user,
      },
      property: openPropertyWorkflow(platform),
    },
    work: { ...finishDeletions({ platform, pool, billing }), ...secondFactorWork(people), ...openSubtractWork(platform) },
  } satisfies Module;
};
