import type { Services } from '#contract/services.ts';
import { accountHandlers } from './account/operations.ts';
import type { Facts } from './events.ts';
import { type Intake, openIntake } from './feedback/intake.ts';
import { openFeedback } from './feedback/operations.ts';
import { feedbackReactions } from './feedback/reactions.ts';
import { openForm } from './form/operations.ts';
import { formReactions } from './form/reactions.ts';
import { type FormReader, byId as formById, openFormReader } from './form/store.ts';
import type { Kernel } from './kernel/context.ts';
import type { Rooms } from './kernel/dispatch.ts';
import { createEmit, type Reactions } from './kernel/facts.ts';
import { openProperty } from './property/operations.ts';
import { propertyReactions } from './property/reactions.ts';
import { userHandlers } from './user/operations.ts';
import { openViewCounter, type ViewCounter } from './view/counter.ts';
import { openView } from './view/operations.ts';

/** The house with its rooms open. */
export interface House {
  readonly rooms: Rooms<Services>;
  /** What the form's page needs beside its operations. */
  readonly forms: FormReader;
  readonly intake: Intake;
  readonly views: ViewCounter;
  /** Lets everything that was accepted reach the disk. */
  drain(): Promise<void>;
}

/** Opens the rooms, in their order, and wires them by hand: a line a room. */
export function openRooms(kernel: Kernel, intake: Intake = openIntake(kernel)): House {
  const reactions: readonly Reactions<Facts>[] = [propertyReactions, formReactions(kernel), feedbackReactions];
  const emit = createEmit<Facts>(reactions);
  const forms = openFormReader(kernel);
  const views = openViewCounter(kernel);
  return {
    rooms: {
      account: accountHandlers,
      user: userHandlers,
      property: openProperty({ kernel, emit, formOf: formById }),
      form: openForm({ kernel, emit, reader: forms }),
      feedback: openFeedback({ forms, intake }),
      view: openView({ forms, views }),
    },
    forms,
    intake,
    views,
    async drain() {
      await Promise.all([intake.drain(), views.drain()]);
      forms.stop();
    },
  };
}
