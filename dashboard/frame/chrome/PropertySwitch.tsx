import { Link } from '@tanstack/react-router';
import { t } from '../../language.ts';
import { useTeam } from '../team.ts';
import styles from './PropertySwitch.module.css';

interface PropertySwitchProps {
  readonly propertyId: string;
  /** The current page of the property. */
  readonly at: 'feedback' | 'overview' | 'configuration';
}

const ADMINS_ONLY = 'only admins can configure a property';

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
        <button type="button" aria-disabled="true" title={ADMINS_ONLY} className={styles['side']}>
          Configuration<span className="visually-hidden"> ({ADMINS_ONLY})</span>
        </button>
      )}
    </nav>
  );
}
