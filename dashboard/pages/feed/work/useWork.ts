import { useRef } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import type { WorkChange } from '#contract/feedback/work.ts';
import { useModify, type WorkToDo } from '../../../data/useModify.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { personName, useTeam } from '../../../frame/team.ts';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { STATUS_LABELS } from '../labels.ts';

export interface WorkActions {
  /** Changes feedback at once. What came of it is said, with the way back. */
  readonly change: (items: readonly Feedback[], change: WorkToDo) => void;
  /** Takes the last change back; false where there is none. */
  readonly undo: () => boolean;
}

/** What a person of the team does with feedback. */
export function useWork(): WorkActions {
  const team = useTeam();
  // The way back from the last change, for as long as the page is there.
  const last = useRef<() => void>(undefined);
  const why = useReadOnly();
  const modify = useModify({
    actor: team.user.id,
    onDone(undo, changes) {
      const message = describe(changes, (id) => personName(team, id));
      // What was only opened needs no word.
      if (message === undefined) return;
      last.current = undo;
      toast(message, { action: { label: 'Undo', run: takeBack } });
    },
    onFailed: (message, retry) => toast(`Not saved. ${message}`, { tone: 'failed', action: { label: 'Try again', run: retry } }),
  });
  const change: WorkActions['change'] = why === undefined ? modify : () => toast(why, { tone: 'failed' });
  return { change, undo: takeBack };

  function takeBack(): boolean {
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
  const said = (words: string) => (changes.length === 1 ? words : `${changes.length} ${words.charAt(0).toLowerCase()}${words.slice(1)}`);
  if (status !== undefined) return said(`Marked as ${STATUS_LABELS[status].toLowerCase()}.`);
  if (assignee !== undefined) return said(assignee === null ? 'Assigned to nobody.' : `Assigned to ${nameOf(assignee)}.`);
  if (addTags !== undefined) return said('Tagged.');
  if (removeTags !== undefined) return said('Tag removed.');
  if (unread === true) return said('Marked as unread.');
  return changes.length === 1 ? undefined : said('Marked as read.');
}
