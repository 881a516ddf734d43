import { useMemo, useRef } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import type { WorkChange } from '#contract/feedback/work.ts';
import { useModify, type WorkToDo } from '../../../data/useModify.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { personName, useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { useStable } from '../../../ui/hooks.ts';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { STATUS_LABELS } from '../labels.ts';

export interface WorkActions {
  /** Changes feedback at once, and shows the outcome with an undo. */
  readonly change: (items: readonly Feedback[], change: WorkToDo) => void;
  /** Undoes the last change. Returns false if there is none. */
  readonly undo: () => boolean;
}

/** Returns the actions on feedback. */
export function useWorkState(): WorkActions {
  const team = useTeam();
  // The undo of the last change, while the page lives.
  const last = useRef<() => void>(undefined);
  const why = useReadOnly();
  const modify = useModify({
    actor: team.user.id,
    onDone(undo, changes) {
      const message = describe(changes, (id) => personName(team, id));
      // Opening an item marks it as read without a message.
      if (message === undefined) return;
      last.current = undo;
      toast(message, { action: { label: 'Undo', run: undoLast } });
    },
    onFailed: (message, retry) => toast(`Not saved. ${message}`, { tone: 'failed', action: { label: t('Try again'), run: retry } }),
  });
  const change = useStable<Parameters<WorkActions['change']>, void>(why === undefined ? modify : () => toast(why, { tone: 'failed' }));
  const undo = useStable(undoLast);
  return useMemo(() => ({ change, undo }), [change, undo]);

  function undoLast(): boolean {
    const undo = last.current;
    last.current = undefined;
    undo?.();
    if (undo) toast('Undone.');
    return undo !== undefined;
  }
}

/** "Marked as done.", "3 assigned to Sam Lee." */
function describe(changes: readonly WorkChange[], nameOf: (userId: string) => string): string | undefined {
  const [change] = changes;
  if (!change) return undefined;
  const { status, assignee, addTags, removeTags, unread } = change;
  const counted = (words: string) => (changes.length === 1 ? words : `${changes.length} ${words.charAt(0).toLowerCase()}${words.slice(1)}`);
  if (status !== undefined) return counted(`Marked as ${STATUS_LABELS[status].toLowerCase()}.`);
  if (assignee !== undefined) return counted(assignee === null ? 'Unassigned.' : `Assigned to ${nameOf(assignee)}.`);
  if (addTags !== undefined) return counted('Tagged.');
  if (removeTags !== undefined) return counted(t('Tag removed.'));
  if (unread === true) return counted(t('Marked as unread.'));
  return changes.length === 1 ? undefined : counted(t('Marked as read.'));
}
