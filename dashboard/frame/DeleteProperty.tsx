import { useQuery } from '@tanstack/react-query';
import type { Property } from '#contract/property/property.ts';
import { totalsQuery } from '../data/queries.ts';
import { useSource } from '../data/source.ts';
import { useAction } from '../data/useAction.ts';
import { t } from '../language.ts';
import { ConfirmDialog } from '../ui/layers/ConfirmDialog.tsx';
import { toast } from '../ui/messages/Toasts.tsx';
import { useTeam } from './team.ts';

interface DeletePropertyProps {
  readonly property: Property;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks before deleting a property, with the number of answers that are lost. */
export function DeleteProperty({ property: { id, data }, isOpen, onClose, onDeleted }: DeletePropertyProps) {
  const answers = useAnswers(id, isOpen);
  const remove = useAction('property', 'delete', { allowNotFound: true });
  const name = data.displayName;

  function confirmDeleted(): void {
    onDeleted();
    toast(t('{name} was deleted.', { name }));
  }

  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('Delete {name}?', { name })}
      action={{ ...remove, label: t('Delete property'), run: () => void remove.run({ propertyId: id }, confirmDeleted) }}
    >
      {lossOf(name, answers)}{' '}
      {t('Its form closes immediately, and anyone who scans a printed code sees that it’s closed. This can’t be undone.')}
    </ConfirmDialog>
  );
}

/** Returns how many answers a property has ever had; undefined while loading. */
function useAnswers(propertyId: string, isEnabled: boolean): number | undefined {
  const { account } = useTeam();
  const { data } = useQuery({ ...totalsQuery(useSource(), account.id), enabled: isEnabled });
  return data && (data.get(propertyId) ?? 0);
}

/** Returns "This deletes Pier 4 and its 128 answers." */
function lossOf(name: string, answers: number | undefined): string {
  if (answers === undefined) return t('This deletes {name} and all its answers.', { name });
  if (answers === 0) return t('This deletes {name}, which has no answers yet.', { name });
  return t.count(answers, 'This deletes {name} and its one answer.', 'This deletes {name} and its {count} answers.', { name });
}
