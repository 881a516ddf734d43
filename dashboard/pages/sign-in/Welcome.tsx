import { Link } from '@tanstack/react-router';
import { t } from '../../language.ts';
import { paths } from '../../paths.ts';
import styles from './Welcome.module.css';

/** Introduces the product to people who don't know it. */
export const Welcome = () => (
  <div className={styles['welcome']}>
    <p>{t('Afterword collects feedback from the people who visit you, and shows it to your team at once.')}</p>
    <p className={styles['links']}>
      <Link to={paths.demo} className="touch-link">
        {t('Try the demo')}
      </Link>
      {/* A page of the server, outside the dashboard. */}
      <a href={paths.about} className="touch-link">
        {t('What is Afterword?')}
      </a>
    </p>
  </div>
);
