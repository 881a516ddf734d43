import { IconMapPin } from '@tabler/icons-react';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { t } from '../../../language.ts';
import { AddButton } from '../../../ui/AddButton.tsx';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { EmptyState } from '../../../ui/messages/EmptyState.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { fullReason } from './full-reason.ts';
import { PlacementDialog } from './PlacementDialog.tsx';
import { type LoadedTools, PlacementList } from './PlacementList.tsx';
import styles from './Placements.module.css';
import { SeriesDialog } from './SeriesDialog.tsx';

interface PlacementsProps extends LoadedTools {
  /** The property has as many placements as it can, including its kiosks. */
  readonly isFull: boolean;
}

/** A property's placements, each with its code and ratings. */
export function Placements({ isFull, ...loaded }: PlacementsProps) {
  const { property } = loaded;
  const [isAdding, adding] = useLayer('add-placement');
  const [isAddingSeries, addingSeries] = useLayer('add-placements');
  const why = useReadOnly() ?? fullReason(isFull);
  return (
    <Card
      title={t('Placements')}
      lead={t('A code for each spot: ‘Till’, ‘Table 4’. Answers show where they came from.')}
      action={
        <div className={styles['add']}>
          <AddButton why={why} variant="default" onClick={adding.open}>
            {t('Add placement')}
          </AddButton>
          <Button variant="subtle" disabled={why !== undefined} title={why} onClick={addingSeries.open}>
            {t('Add several')}
          </Button>
        </div>
      }
    >
      <PlacementList
        {...loaded}
        label={t('Placements')}
        empty={
          <EmptyState icon={<IconMapPin size={32} stroke={1.5} aria-hidden />} title={t('No placements yet.')}>
            {t('The form’s own code works without them. Add placements to see where visitors are happiest.')}
          </EmptyState>
        }
      />
      <PlacementDialog isOpen={isAdding} onClose={adding.close} property={property} />
      <SeriesDialog isOpen={isAddingSeries} onClose={addingSeries.close} property={property} />
    </Card>
  );
}
