import { IconDeviceTablet } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Kiosk } from '#contract/kiosk/kiosk.ts';
import type { Property } from '#contract/property/property.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { useKioskAddress } from '../../../frame/share/address.ts';
import { t } from '../../../language.ts';
import { paths as site } from '../../../paths.ts';
import { AddButton } from '../../../ui/AddButton.tsx';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { EmptyState } from '../../../ui/messages/EmptyState.tsx';
import { LoadFailed } from '../../../ui/messages/LoadFailed.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import rowStyles from '../../../ui/page/Rows.module.css';
import { fullReason } from './full-reason.ts';
import { KioskDialog } from './KioskDialog.tsx';
import { KioskRow } from './KioskRow.tsx';
import styles from './Kiosks.module.css';

interface KiosksProps {
  readonly property: Property;
  /** Undefined if they couldn't be loaded. */
  readonly kiosks: readonly Kiosk[] | undefined;
  /** The property has as many placements as it can. */
  readonly isFull: boolean;
  readonly isError: boolean;
  readonly onRetry: () => void;
}

/** A property's kiosks, each with the state of its tablet. */
export function Kiosks({ property, kiosks, isFull, isError, onRetry }: KiosksProps) {
  const [isAdding, adding] = useLayer('add-kiosk');
  const why = useReadOnly() ?? fullReason(isFull);
  return (
    <Card
      title={t('Kiosks')}
      lead={
        <>
          {t('A tablet at the exit collects a rating with one tap, even without a network.')}{' '}
          <Link to={site.guide('kiosk')}>{t('How it works')}</Link>
        </>
      }
      action={
        <AddButton why={why} variant="default" onClick={adding.open}>
          {t('Add kiosk')}
        </AddButton>
      }
    >
      {isError && (
        <LoadFailed onRetry={onRetry}>
          {kiosks ? t('We couldn’t load the kiosks; this list may be old.') : t('We couldn’t load the kiosks.')}
        </LoadFailed>
      )}
      {kiosks?.length === 0 && <NoKiosks />}
      {kiosks && kiosks.length > 0 && (
        <ul className={`${rowStyles['rows']} ${styles['columns']}`} aria-label={t('Kiosks')}>
          {kiosks.map((kiosk) => (
            <li key={kiosk.id}>
              <KioskRow property={property} kiosk={kiosk} />
            </li>
          ))}
        </ul>
      )}
      <KioskDialog isOpen={isAdding} onClose={adding.close} property={property} />
    </Card>
  );
}

const NoKiosks = () => (
  <EmptyState
    icon={<IconDeviceTablet size={32} stroke={1.5} aria-hidden />}
    title={t('No kiosks yet.')}
    action={
      <ol className={styles['steps']}>
        <li>{t('Add a kiosk with its PIN and opening hours.')}</li>
        <li>{t('On the tablet, open {address}.', { address: useKioskAddress() })}</li>
        <li>{t('Choose “Pair a tablet” here, and type the code there.')}</li>
      </ol>
    }
  />
);
