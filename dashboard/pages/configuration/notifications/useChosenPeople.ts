import { useRef, useState } from 'react';
import { listsOf, type NotificationKind, type Property } from '#contract/property/property.ts';
import { useAction } from '../../../data/useAction.ts';

/** Sets who gets a property's emails. A change shows at once and is saved in the background; it is undone if saving fails, and can be retried. */
export function useChosenPeople({ id, data }: Property, kind: NotificationKind) {
  const save = useAction('property', 'save');
  const stored = listsOf(data.notifications)[kind];
  /** The choice that isn't saved yet. */
  const [pending, setPending] = useState<readonly string[]>();
  const newest = useRef<readonly string[]>(stored);
  const isSaving = useRef(false);
  const chosen = pending ?? stored;

  /** Saves one choice at a time. A choice made while saving is saved next. */
  async function choose(people: readonly string[]): Promise<void> {
    newest.current = people;
    setPending(people);
    if (isSaving.current) return;
    isSaving.current = true;
    let saved: readonly string[] | undefined;
    let isDone = true;
    while (isDone && saved !== newest.current) {
      saved = newest.current;
      isDone = await save.run({ payload: { id, data: { notifications: { [kind]: [...saved] } } } });
    }
    isSaving.current = false;
    setPending(undefined);
  }

  return {
    chosen,
    toggle: (userId: string) => void choose(chosen.includes(userId) ? chosen.filter((each) => each !== userId) : [...chosen, userId]),
    failure: save.failure,
    retry: () => void choose(newest.current),
  };
}
