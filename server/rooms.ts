import type { EventName } from '#contract/events.ts';
import type { Services } from '#contract/services.ts';
import { DAY } from '#contract/time.ts';
import { openAccount } from './account/operations.ts';
import { type Billing, openBilling } from './billing/billing.ts';
import type { PaymentProvider } from './billing/port.ts';
import { forgetComments, openComment } from './comment/operations.ts';
import type { EventFeed } from './event/feed.ts';
import { openExport } from './export/operations.ts';
import { openWriting } from './export/writing.ts';
import { forgetBudgets } from './feedback/budget-store.ts';
import { type Intake, openIntake } from './feedback/intake.ts';
import { changeWork, openFeedback } from './feedback/operations.ts';
import { openForm } from './form/operations.ts';
import { type FormReader, openFormReader } from './form/store.ts';
import type { UserPool } from './identity/port.ts';
import { openInsight } from './insight/operations.ts';
import type { Kernel } from './kernel/context.ts';
import type { Rooms } from './kernel/dispatch.ts';
import type { Work } from './kernel/jobs.ts';
import { openOutbound } from './kernel/outbound.ts';
import { openPictures } from './kernel/pictures.ts';
import { forgetOld } from './kernel/portion.ts';
import { forgetCounts } from './kernel/rate-limit.ts';
import type { SendMail } from './kernel/send-mail.ts';
import { openMessage } from './message/operations.ts';
import { openBell } from './notification/bell.ts';
import { openDevice } from './notification/devices.ts';
import { openDelivery } from './notification/operations.ts';
import { openProperty } from './property/operations.ts';
import { openMaking } from './report/making.ts';
import { openReport } from './report/operations.ts';
import { openSavedView } from './saved-view/operations.ts';
import { openTag } from './tag/operations.ts';
import { openTool } from './tool/operations.ts';
import { openUser } from './user/operations.ts';
import { openViewCounter, type ViewCounter } from './view/counter.ts';
import { openView } from './view/operations.ts';
import { type Courier, openCourier } from './webhook/courier.ts';
import { openWebhook, webhookWork } from './webhook/operations.ts';
import { finishDeletions, openAccountDeletion } from './workflows/account-deletion.ts';
import { openAccountInvitations } from './workflows/account-invitations.ts';
import { openOperator } from './workflows/operator.ts';
import { openPropertyWorkflow } from './workflows/property.ts';
import { openSecondFactor } from './workflows/second-factor.ts';
import { openGettingStarted, openSignUp } from './workflows/sign-up.ts';
import { openSubscription } from './workflows/subscription.ts';
import { openSubscriptions } from './workflows/subscriptions.ts';
import { openTeamWorkflow } from './workflows/team.ts';

/** The rooms and workflows, open. */
export interface OpenRooms {
  readonly handlers: Rooms<Services>;
  /** What the form's page needs beside its operations. */
  readonly forms: FormReader;
  readonly intake: Intake;
  readonly views: ViewCounter;
  readonly billing: Billing;
  /** Sends what webhooks are to hear, once it is started. */
  readonly courier: Courier;
  /** Changes what the team does with feedback, as its operation does. */
  readonly changeWork: typeof changeWork;
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
  /** What brings pushes to devices. */
  readonly device: Omit<Parameters<typeof openDevice>[0], 'kernel'>;
  /** Undefined where nobody pays. */
  readonly provider: PaymentProvider | undefined;
  readonly intake?: Intake | undefined;
  /** The events that a subscriber waits for. */
  readonly subscribedNames: readonly EventName[];
}

/** Opens the rooms in their order, and the workflows above them: for each operation, where its handler stands. */
export function openRooms({
  kernel,
  feed,
  pool,
  sendMail,
  device,
  subscribedNames,
  provider,
  intake = openIntake(kernel, { subscribedNames }),
}: RoomsOptions): OpenRooms {
  const billing = openBilling({ kernel, provider });
  const forms = openFormReader({ ...kernel, feed });
  const views = openViewCounter(kernel);
  const operator = openOperator({ billing });
  const pictures = openPictures();
  const outbound = openOutbound({ config: kernel.config.outbound });
  const { work: resets, ...secondFactor } = openSecondFactor({ kernel, pool, sendMail });
  return {
    handlers: {
      account: {
        ...openAccount({ billing }),
        ...openGettingStarted({ kernel, billing }),
        ...openAccountDeletion({ billing }),
        ...openAccountInvitations({ kernel, pool, sendMail }),
        ...openSubscription({ kernel, billing }),
        ...openSubscriptions({ billing }),
        ...operator.account,
      },
      user: {
        ...openUser({ pool, pictures }),
        ...openSignUp({ kernel, pool, billing }),
        ...openTeamWorkflow({ kernel, pool, sendMail }),
        ...secondFactor,
        ...operator.user,
      },
      property: { ...openProperty(), ...openPropertyWorkflow(kernel) },
      form: openForm({ kernel, reader: forms }),
      tag: openTag(kernel),
      tool: openTool(kernel),
      savedView: openSavedView(kernel),
      feedback: openFeedback({ forms, intake }),
      comment: openComment(kernel),
      export: openExport(kernel),
      delivery: openDelivery({ kernel, sendMail }),
      notification: openBell(),
      device: openDevice({ kernel, ...device }),
      webhook: openWebhook(kernel, outbound),
      message: openMessage({ ...kernel, pictures }),
      view: openView({ forms, views }),
      insight: openInsight(),
      report: openReport(),
    },
    work: {
      ...finishDeletions({ kernel, pool, billing }),
      ...billing.work,
      ...forgetOldCounts(kernel),
      ...forgetComments(kernel),
      ...webhookWork(kernel),
      ...openWriting({ ...kernel, billing }),
      ...openMaking({ kernel, send: sendMail, billing }),
      ...resets,
    },
    forms,
    intake,
    views,
    billing,
    courier: openCourier(kernel, outbound),
    changeWork,
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
    forgetOld(kernel, [
      [forgetCounts, COUNTS_KEPT],
      [forgetBudgets, COUNTS_KEPT],
    ]),
});
