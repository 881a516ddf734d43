import type { Services } from '#contract/services.ts';
import { type FirstProperty, openAccount } from './account/operations.ts';
import type { EventFeed } from './event/feed.ts';
import type { Facts, TellMail } from './events.ts';
import { type Intake, openIntake } from './feedback/intake.ts';
import { openFeedback } from './feedback/operations.ts';
import { feedbackReactions } from './feedback/reactions.ts';
import { openForm } from './form/operations.ts';
import { formReactions } from './form/reactions.ts';
import { type FormReader, byId as formById, openFormReader } from './form/store.ts';
import type { AccountScope } from './kernel/access.ts';
import type { Kernel } from './kernel/context.ts';
import type { Rooms } from './kernel/dispatch.ts';
import { createEmit, type Reactions } from './kernel/facts.ts';
import type { Work } from './kernel/jobs.ts';
import { openRateLimit } from './kernel/rate-limit.ts';
import { createProperty, openProperty } from './property/operations.ts';
import { propertyReactions } from './property/reactions.ts';
import { redraw } from './user/gateway.ts';
import { openUser, type Pool, purgeAccounts } from './user/operations.ts';
import { byId as userById } from './user/store.ts';
import { openViewCounter, type ViewCounter } from './view/counter.ts';
import { openView } from './view/operations.ts';

/** The house with its rooms open. */
export interface House {
  readonly rooms: Rooms<Services>;
  /** What the form's page needs beside its operations. */
  readonly forms: FormReader;
  readonly intake: Intake;
  readonly views: ViewCounter;
  /** What the rooms do in the background. */
  readonly work: Work;
  /** Lets everything that was accepted reach the disk. */
  drain(): Promise<void>;
}

interface Neighbours {
  readonly feed: EventFeed;
  readonly pool: Pool;
  readonly tell: TellMail;
  readonly intake?: Intake | undefined;
}

const HOUR = 3_600_000;

/** Opens the rooms, in their order, and wires them by hand: a line a room. */
export function openRooms(kernel: Kernel, { feed, pool, tell, intake = openIntake(kernel) }: Neighbours): House {
  const reactions: readonly Reactions<Facts>[] = [propertyReactions, formReactions(kernel), feedbackReactions];
  const emit = createEmit<Facts>(reactions);
  const forms = openFormReader({ ...kernel, feed });
  const views = openViewCounter(kernel);
  return {
    rooms: {
      account: openAccount({ kernel, tell, firstProperty, personOf }),
      user: openUser({ kernel, emit, tell, pool, redraw, signUps: openRateLimit({ most: 20, within: HOUR }) }),
      property: openProperty({ kernel, emit, formOf: formById }),
      form: openForm({ kernel, emit, reader: forms, tell, personOf }),
      feedback: openFeedback({ forms, intake }),
      view: openView({ forms, views }),
    },
    work: purgeAccounts({ kernel, pool }),
    forms,
    intake,
    views,
    async drain() {
      await Promise.all([intake.drain(), views.drain()]);
      forms.stop();
    },
  };

  async function firstProperty(scope: AccountScope, first: FirstProperty) {
    const property = await createProperty({ kernel, emit }, scope, first);
    const form = await formById(scope, property.data.formId);
    if (!form) throw new Error('A property was made without its form');
    return { property, form };
  }

  async function personOf(scope: AccountScope, userId: string) {
    return (await userById(scope, userId))?.data;
  }
}
