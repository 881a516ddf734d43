import { useRef, useState } from 'react';
import { listsOf, type NotificationKind, type Property } from '#contract/property/property.ts';
import { useAction } from '../../../data/useAction.ts';

/** Who gets a property's mails. A choice shows at once and is saved behind it; what could not be saved is taken back, and can be tried again. */
export function useChosenPeople({ id, data }: Property, kind: NotificationKind) {
  const save = useAction('property', 'save');
  const kept = listsOf(data.notifications)[kind];
  /** What was chosen and is not known to be saved. */
  const [wanted, setWanted] = useState<readonly string[]>();
  const newest = useRef<readonly string[]>(kept);
  const isSaving = useRef(false);
  const chosen = wanted ?? kept;

  /** One after another: what is chosen meanwhile is saved next. */
  async function choose(people: readonly string[]): Promise<void> {
    newest.current = people;
    setWanted(people);
    if (isSaving.current) return;
    isSaving.current = true;
    let saved: readonly string[] | undefined;
    let isDone = true;
    while (isDone && saved !== newest.current) {
      saved = newest.current;
      isDone = await save.run({ payload: { id, data: { notifications: { [kind]: [...saved] } } } });
    }
    isSaving.current = false;
    setWanted(undefined);
  }

  return {
    chosen,
    toggle: (userId: string) => void choose(chosen.includes(userId) ? chosen.filter((each) => each !== userId) : [...chosen, userId]),
    failure: save.failure,
    retry: () => void choose(newest.current),
  };
}
