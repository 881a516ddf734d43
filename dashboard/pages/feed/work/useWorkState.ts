import { useMemo, useRef } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import type { WorkChange } from '#contract/feedback/work.ts';
import { useModify, type WorkToDo } from '../../../data/useModify.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { personName, useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { useStable } from '../../../ui/hooks.ts';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { statusInSentence } from '../labels.ts';

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
      toast(message, { action: { label: t('Undo'), run: undoLast } });
    },
    onFailed: (message, retry) => toast(`${t('Not saved.')} ${message}`, { tone: 'failed', action: { label: t('Try again'), run: retry } }),
  });
  const change = useStable<Parameters<WorkActions['change']>, void>(why === undefined ? modify : () => toast(why, { tone: 'failed' }));
  const undo = useStable(undoLast);
  return useMemo(() => ({ change, undo }), [change, undo]);

  function undoLast(): boolean {
    const undo = last.current;
    last.current = undefined;
    undo?.();
    if (undo) toast(t('Undone.'));
    return undo !== undefined;
  }
}

/** "Marked as done.", "3 assigned to Sam Lee." */
function describe(changes: readonly WorkChange[], nameOf: (userId: string) => string): string | undefined {
  const [change] = changes;
  if (!change) return undefined;
  const { status, assignee, addTags, removeTags, unread } = change;
  const count = changes.length;
  if (status !== undefined)
    return t.count(count, 'Marked as {status}.', '{count} marked as {status}.', { status: statusInSentence(status) });
  if (assignee === null) return t.count(count, 'Unassigned.', '{count} unassigned.');
  if (assignee !== undefined) return t.count(count, 'Assigned to {name}.', '{count} assigned to {name}.', { name: nameOf(assignee) });
  if (addTags !== undefined) return t.count(count, 'Tagged.', '{count} tagged.');
  if (removeTags !== undefined) return t.count(count, 'Tag removed.', 'Tag removed from {count}.');
  if (unread === true) return t.count(count, 'Marked as unread.', '{count} marked as unread.');
  return count === 1 ? undefined : t('{count} marked as read.', { count });
}
