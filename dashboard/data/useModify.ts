import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { undoChange, type WorkChange } from '#contract/feedback/work.ts';
import { applyChange } from '#contract/feedback/work-events.ts';
import { effectOf, writeFeedback } from './effects.ts';
import { messageOf } from './errors.ts';
import { callOrThrow } from './queries.ts';
import { useSource } from './source.ts';

/** A change to feedback, without the id. */
export type WorkToDo = Omit<WorkChange, 'feedbackId'>;

interface UseModifyOptions {
  /** The id of the person who makes the change. */
  readonly actor: string;
  /** Receives the changes and a function that undoes them. */
  readonly onDone: (undo: () => void, changes: readonly WorkChange[]) => void;
  /** Called after the previous state is restored. */
  readonly onFailed: (message: string, retry: () => void) => void;
}

/** Returns a function that changes feedback optimistically and in order; a change that the server refuses is rolled back. */
export function useModify({ actor, onDone, onFailed }: UseModifyOptions): (items: readonly Feedback[], change: WorkToDo) => void {
  const source = useSource();
  const client = useQueryClient();
  const cache = { client, source };
  const effect = effectOf('feedback', 'modify', cache);
  const { mutate } = useMutation({
    networkMode: 'always',
    // Run one at a time, so that a second key press is neither lost nor overtakes the first.
    scope: { id: 'feedback.modify' },
    mutationFn: ({ changes }: Modification) => callOrThrow(source, ['feedback', 'modify', { changes: [...changes] }]),
    onSuccess(answer, { changes, undo }) {
      effect.onSuccess(answer, { changes: [...changes] });
      if (undo) onDone(undo, changes);
    },
    onError(error, modification) {
      effect.onError(error);
      writeFeedback(cache, modification.items);
      onFailed(messageOf(error), () => run(modification));
    },
  });
  return (items, change) => {
    const changes = items.map(({ id }) => ({ feedbackId: id, ...change }));
    const undoChanges = items.map(({ id, data }) => undoChange(data, { feedbackId: id, ...change }));
    run({ items, changes, undo: () => run({ items: predicted({ items, changes }, actor), changes: undoChanges }) });
  };

  function run(modification: Modification): void {
    writeFeedback(cache, predicted(modification, actor));
    mutate(modification);
  }
}

interface Modification {
  /** The feedback before the change. */
  readonly items: readonly Feedback[];
  /** One for each, in the same order. */
  readonly changes: readonly WorkChange[];
  /** Undoes the change; missing for an undo itself. */
  readonly undo?: () => void;
}

/** Returns the feedback as the server will return it. */
const predicted = ({ items, changes }: Pick<Modification, 'items' | 'changes'>, actor: string): Feedback[] =>
  items.flatMap((item, at) => {
    const change = changes[at];
    if (!change) return [];
    const after = applyChange(item, change, { actor, now: Date.now(), at });
    const { unread: was, ...data } = after.data;
    const unread = change.unread ?? was;
    return [{ ...after, data: { ...data, ...(unread && { unread: true as const }) } }];
  });
