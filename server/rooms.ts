import { DAY } from '#contract/core/time.ts';
import type { EventName } from '#contract/events.ts';
import type { Services } from '#contract/services.ts';
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
import { openMessage } from './message/operations.ts';
import { openBell } from './notification/bell.ts';
import { openDevice } from './notification/devices.ts';
import { openDelivery } from './notification/operations.ts';
import type { Platform } from './platform/context.ts';
import { forgetOld } from './platform/database/portions.ts';
import { openPictures } from './platform/images/images.ts';
import type { Work } from './platform/jobs/jobs.ts';
import type { SendMail } from './platform/mailer/send-mail.ts';
import { openOutbound } from './platform/outbound/outbound.ts';
import type { Rooms } from './platform/tenancy/dispatch.ts';
import { forgetCounts } from './platform/tenancy/rate-limit.ts';
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
  readonly platform: Platform;
  readonly feed: EventFeed;
  readonly pool: UserPool;
  readonly sendMail: SendMail;
  /** What brings pushes to devices. */
  readonly device: Omit<Parameters<typeof openDevice>[0], 'platform'>;
  /** Undefined where nobody pays. */
  readonly provider: PaymentProvider | undefined;
  readonly intake?: Intake | undefined;
  /** The events that a subscriber waits for. */
  readonly subscribedNames: readonly EventName[];
}

/** Opens the rooms in their order, and the workflows above them: for each operation, where its handler stands. */
export function openRooms({
  platform,
  feed,
  pool,
  sendMail,
  device,
  subscribedNames,
  provider,
  intake = openIntake(platform, { subscribedNames }),
}: RoomsOptions): OpenRooms {
  const billing = openBilling({ platform, provider });
  const forms = openFormReader({ ...platform, feed });
  const views = openViewCounter(platform);
  const operator = openOperator({ billing });
  const pictures = openPictures();
  const outbound = openOutbound({ config: platform.config.outbound });
  const { work: resets, ...secondFactor } = openSecondFactor({ platform, pool, sendMail });
  return {
    handlers: {
      account: {
        ...openAccount({ billing }),
        ...openGettingStarted({ platform, billing }),
        ...openAccountDeletion({ billing }),
        ...openAccountInvitations({ platform, pool, sendMail }),
        ...openSubscription({ platform, billing }),
        ...openSubscriptions({ billing }),
        ...operator.account,
      },
      user: {
        ...openUser({ pool, pictures }),
        ...openSignUp({ platform, pool, billing }),
        ...openTeamWorkflow({ platform, pool, sendMail }),
        ...secondFactor,
        ...operator.user,
      },
      property: { ...openProperty(), ...openPropertyWorkflow(platform) },
      form: openForm({ platform, reader: forms }),
      tag: openTag(platform),
      tool: openTool(platform),
      savedView: openSavedView(platform),
      feedback: openFeedback({ forms, intake }),
      comment: openComment(platform),
      export: openExport(platform),
      delivery: openDelivery({ platform, sendMail }),
      notification: openBell(),
      device: openDevice({ platform, ...device }),
      webhook: openWebhook(platform, outbound),
      message: openMessage({ ...platform, pictures }),
      view: openView({ forms, views }),
      insight: openInsight(),
      report: openReport(),
    },
    work: {
      ...finishDeletions({ platform, pool, billing }),
      ...billing.work,
      ...forgetOldCounts(platform),
      ...forgetComments(platform),
      ...webhookWork(platform),
      ...openWriting({ ...platform, billing }),
      ...openMaking({ platform, send: sendMail, billing }),
      ...resets,
    },
    forms,
    intake,
    views,
    billing,
    courier: openCourier(platform, outbound),
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

const forgetOldCounts = (platform: Platform): Work => ({
  'rate-limit.upkeep': () =>
    forgetOld(platform, [
      [forgetCounts, COUNTS_KEPT],
      [forgetBudgets, COUNTS_KEPT],
    ]),
});
