import { Link } from '@tanstack/react-router';
import { t } from '../../language.ts';
import { SpokenLabel } from '../../ui/Rich.tsx';
import { useTeam } from '../team.ts';
import styles from './PropertySwitch.module.css';

interface PropertySwitchProps {
  readonly propertyId: string;
  /** The current page of the property. */
  readonly at: 'feedback' | 'overview' | 'configuration';
}

/** Links a property's feedback, overview and configuration. Non-admins see why they can't open the configuration. */
export function PropertySwitch({ propertyId, at }: PropertySwitchProps) {
  const { paths, user } = useTeam();
  return (
    <nav className={styles['switch']} aria-label={t('This property')}>
      <Link
        to={paths.propertyFeedback(propertyId)}
        className={styles['side']}
        activeOptions={{ includeSearch: false }}
        aria-current={at === 'feedback' ? 'page' : undefined}
      >
        {t('Feedback')}
      </Link>
      <Link
        to={paths.propertyOverview(propertyId)}
        className={styles['side']}
        activeOptions={{ includeSearch: false }}
        aria-current={at === 'overview' ? 'page' : undefined}
      >
        {t('Overview')}
      </Link>
      {user.data.level === 'admin' ? (
        <Link
          to={paths.propertyConfiguration(propertyId)}
          className={styles['side']}
          activeOptions={{ includeSearch: false }}
          aria-current={at === 'configuration' ? 'page' : undefined}
        >
          {t('Configuration')}
        </Link>
      ) : (
        // Focusable, so that screen readers read the reason.
        <button type="button" aria-disabled="true" title={t('only admins can configure a property')} className={styles['side']}>
          <SpokenLabel text={t('Configuration<spoken> (only admins can configure a property)</spoken>')} />
        </button>
      )}
    </nav>
  );
}
