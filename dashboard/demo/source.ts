import { Refusal } from '#contract/core/errors.ts';
import { sampleConversations } from '#fixtures/conversations.ts';
import { demoUser } from '#fixtures/demo.ts';
import { sampleFeedback } from '#fixtures/feedback.ts';
import { demoKiosks } from '#fixtures/kiosks.ts';
import { sampleOpenings } from '#fixtures/views.ts';
import { sampleWebhooks } from '#fixtures/webhooks.ts';
import { createWorld } from '#fixtures/world/world.ts';
import { CallError } from '../data/errors.ts';
import type { DataSource, LiveEvent } from '../data/source.ts';
import { steady } from './clock.ts';

/** The id of the demo's user. */
export const DEMO_USER = demoUser.id;

interface DemoSource extends DataSource {
  /** Discards every change. */
  restart(): void;
}

/** Creates the sample business in the browser, as of a moment (UTC ms). It behaves like the server, and is lost with the page. */
export function createDemoSource(moment: number): DemoSource {
  const listeners = new Set<(event: LiveEvent) => void>();
  const emit = (event: LiveEvent): void => {
    for (const listener of listeners) listener(event);
  };
  let world = openWorld(moment);
  return {
    id: 'demo',
    call: (service, action, input) =>
      // The compiler can't follow the lookup of an operation by name.
      world.call(demoUser, service, action, input as object).catch((error: unknown) => {
        throw error instanceof Refusal ? callError(error) : error;
      }) as never,
    listen(onEvent) {
      listeners.add(onEvent);
      return () => void listeners.delete(onEvent);
    },
    restart() {
      world = openWorld(Date.now());
    },
  };

  function openWorld(now: number) {
    const feedback = sampleFeedback(steady(now));
    const created = createWorld({
      crypto,
      feedback,
      conversations: sampleConversations(feedback),
      openings: sampleOpenings(feedback),
      webhooks: sampleWebhooks(now),
      kiosks: demoKiosks(now),
      isDemo: true,
    });
    created.listen((event) => {
      emit(event);
      emit({ name: 'notified' });
    });
    return created;
  }
}

const callError = ({ message, detail, status, code, errors }: Refusal): CallError =>
  new CallError(detail ?? message, { status, code, errors: [...errors] });
