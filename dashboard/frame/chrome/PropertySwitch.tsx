import { Link } from '@tanstack/react-router';
import { useTeam } from '../team.ts';
import styles from './PropertySwitch.module.css';

interface PropertySwitchProps {
  readonly propertyId: string;
  /** Which of the property's pages is shown. */
  readonly at: 'feedback' | 'overview' | 'configuration';
}

const ADMINS_ONLY = 'only admins can configure a property';

/** The way between a property's feedback, its numbers and its configuration. Who may not configure it reads why. */
export function PropertySwitch({ propertyId, at }: PropertySwitchProps) {
  const { paths, user } = useTeam();
  return (
    <nav className={styles['switch']} aria-label="This property">
      <Link
        to={paths.propertyFeedback(propertyId)}
        className={styles['side']}
        activeOptions={{ includeSearch: false }}
        aria-current={at === 'feedback' ? 'page' : undefined}
      >
        Feedback
      </Link>
      <Link
        to={paths.propertyOverview(propertyId)}
        className={styles['side']}
        activeOptions={{ includeSearch: false }}
        aria-current={at === 'overview' ? 'page' : undefined}
      >
        Overview
      </Link>
      {user.data.level === 'admin' ? (
        <Link
          to={paths.propertyConfiguration(propertyId)}
          className={styles['side']}
          activeOptions={{ includeSearch: false }}
          aria-current={at === 'configuration' ? 'page' : undefined}
        >
          Configuration
        </Link>
      ) : (
        // It has the focus, so that its reason is read.
        <button type="button" aria-disabled="true" title={ADMINS_ONLY} className={styles['side']}>
          Configuration<span className="visually-hidden"> ({ADMINS_ONLY})</span>
        </button>
      )}
    </nav>
  );
}
