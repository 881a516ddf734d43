import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { undoChange, type WorkChange } from '#contract/feedback/work.ts';
import { applyChange } from '#contract/feedback/work-events.ts';
import { effectOf, writeFeedback } from './effects.ts';
import { messageOf } from './errors.ts';
import { callOrThrow } from './queries.ts';
import { useSource } from './source.ts';

/** A change of feedback, without saying of which. */
export type WorkToDo = Omit<WorkChange, 'feedbackId'>;

interface UseModifyOptions {
  /** Who changes it: a person's id. */
  readonly actor: string;
  /** What was changed, and how it is taken back. */
  readonly onDone: (undo: () => void, changes: readonly WorkChange[]) => void;
  /** Everything stands as it was before. */
  readonly onFailed: (message: string, retry: () => void) => void;
}

/** Changes feedback as soon as it is asked for, in the order that it is asked for; what the server refuses is put back as it was. */
export function useModify({ actor, onDone, onFailed }: UseModifyOptions): (items: readonly Feedback[], change: WorkToDo) => void {
  const source = useSource();
  const client = useQueryClient();
  const cache = { client, source };
  const effect = effectOf('feedback', 'modify', cache);
  const { mutate } = useMutation({
    networkMode: 'always',
    // One after the other: the second press of a key is not lost, and never overtakes the first.
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
    const back = items.map(({ id, data }) => undoChange(data, { feedbackId: id, ...change }));
    run({ items, changes, undo: () => run({ items: foreseen({ items, changes }, actor), changes: back }) });
  };

  function run(modification: Modification): void {
    writeFeedback(cache, foreseen(modification, actor));
    mutate(modification);
  }
}

interface Modification {
  /** As it is before. */
  readonly items: readonly Feedback[];
  /** One for each, in the same order. */
  readonly changes: readonly WorkChange[];
  /** Takes it back. What takes back is not itself taken back. */
  readonly undo?: () => void;
}

/** Feedback as the server will answer it. */
const foreseen = ({ items, changes }: Pick<Modification, 'items' | 'changes'>, actor: string): Feedback[] =>
  items.flatMap((item, at) => {
    const change = changes[at];
    if (!change) return [];
    const after = applyChange(item, change, { actor, now: Date.now(), at });
    const { unread: was, ...data } = after.data;
    const unread = change.unread ?? was;
    return [{ ...after, data: { ...data, ...(unread && { unread: true as const }) } }];
  });
