import { IconUsers } from '@tabler/icons-react';
import { FEWEST_RANKED } from '#contract/core/interval.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { t } from '../../../language.ts';
import { AddButton } from '../../../ui/AddButton.tsx';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { EmptyState } from '../../../ui/messages/EmptyState.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import { fullReason } from './full-reason.ts';
import { PlacementDialog } from './PlacementDialog.tsx';
import { type LoadedTools, PlacementList } from './PlacementList.tsx';

interface StaffCardProps extends LoadedTools {
  /** The property has as many placements as it can. */
  readonly isFull: boolean;
}

/** A property's staff members, each with a code of their own. */
export function Staff({ isFull, ...loaded }: StaffCardProps) {
  const [isAdding, adding] = useLayer('add-staff');
  const why = useReadOnly() ?? fullReason(isFull);
  return (
    <Card
      title={t('Staff')}
      lead={t('A code for each person, on a badge or card. With fewer than {count} ratings, no average is shown and no one is ranked.', {
        count: FEWEST_RANKED,
      })}
      action={
        <AddButton why={why} variant="default" onClick={adding.open}>
          {t('Add staff member')}
        </AddButton>
      }
    >
      <PlacementList
        {...loaded}
        label={t('Staff')}
        empty={
          <EmptyState icon={<IconUsers size={32} stroke={1.5} aria-hidden />} title={t('No staff members yet.')}>
            {t('Add the people who serve your visitors, if you want to know who is praised. Tell them first.')}
          </EmptyState>
        }
      />
      <PlacementDialog isOpen={isAdding} onClose={adding.close} property={loaded.property} toolType="staff" />
    </Card>
  );
}
