import type { Services } from '#contract/services.ts';
import { DAY } from '#contract/time.ts';
import { openAccount } from './account/operations.ts';
import { type Billing, openBilling } from './billing/billing.ts';
import { NO_PAYMENT_PROVIDER } from './billing/provider.ts';
import type { EventFeed } from './event/feed.ts';
import { type Intake, openIntake } from './feedback/intake.ts';
import { openFeedback } from './feedback/operations.ts';
import { forgetBudgets } from './feedback/store.ts';
import { openForm } from './form/operations.ts';
import { type FormReader, openFormReader } from './form/store.ts';
import type { UserPool } from './identity/port.ts';
import { inEveryAccount } from './kernel/access.ts';
import type { Kernel } from './kernel/context.ts';
import type { Rooms } from './kernel/dispatch.ts';
import type { Work } from './kernel/jobs.ts';
import { openPictures } from './kernel/pictures.ts';
import { forgetCounts } from './kernel/rate-limit.ts';
import type { SendMail } from './kernel/send-mail.ts';
import { openProperty } from './property/operations.ts';
import { openUser } from './user/operations.ts';
import { openViewCounter, type ViewCounter } from './view/counter.ts';
import { openView } from './view/operations.ts';
import { openAccountDeletion, purgeAccounts } from './workflows/account-deletion.ts';
import { openOperator } from './workflows/operator.ts';
import { openPropertyWorkflow } from './workflows/property.ts';
import { openGettingStarted, openSignUp } from './workflows/sign-up.ts';
import { openTeamWorkflow } from './workflows/team.ts';

/** The rooms and workflows, open. */
export interface OpenRooms {
  readonly handlers: Rooms<Services>;
  /** What the form's page needs beside its operations. */
  readonly forms: FormReader;
  readonly intake: Intake;
  readonly views: ViewCounter;
  readonly billing: Billing;
  /** Their background jobs. */
  readonly work: Work;
  /** Lets everything that was accepted reach the disk. */
  drain(): Promise<void>;
}

interface RoomsOptions {
  readonly kernel: Kernel;
  readonly feed: EventFeed;
  readonly pool: UserPool;
  readonly sendMail: SendMail;
  readonly intake?: Intake | undefined;
}

/** Opens the rooms in their order, and the workflows above them: for each operation, where its handler stands. */
export function openRooms({ kernel, feed, pool, sendMail, intake = openIntake(kernel) }: RoomsOptions): OpenRooms {
  const billing = openBilling(NO_PAYMENT_PROVIDER);
  const forms = openFormReader({ ...kernel, feed });
  const views = openViewCounter(kernel);
  const operator = openOperator({ billing });
  const pictures = openPictures();
  return {
    handlers: {
      account: {
        ...openAccount({ kernel, billing }),
        ...openGettingStarted({ kernel, billing }),
        ...openAccountDeletion({ billing }),
        ...operator.account,
      },
      user: {
        ...openUser({ pool, pictures }),
        ...openSignUp({ kernel, pool, billing }),
        ...openTeamWorkflow({ kernel, pool, sendMail }),
        ...operator.user,
      },
      property: { ...openProperty(), ...openPropertyWorkflow(kernel) },
      form: openForm({ kernel, reader: forms }),
      feedback: openFeedback({ forms, intake }),
      view: openView({ forms, views }),
    },
    work: { ...purgeAccounts({ kernel, pool }), ...forgetOldCounts(kernel) },
    forms,
    intake,
    views,
    billing,
    async drain() {
      await Promise.all([intake.drain(), views.drain()]);
      forms.stop();
      pictures.stop();
    },
  };
}

/** No limit looks back further than a day. */
const COUNTS_KEPT = 2 * DAY;

const forgetOldCounts = (kernel: Kernel): Work => ({
  'rate-limit.upkeep': () =>
    inEveryAccount(kernel, async (scope) => {
      const before = new Date(scope.now.getTime() - COUNTS_KEPT);
      await forgetCounts(scope.db, before);
      await forgetBudgets(scope, before);
    }),
});
