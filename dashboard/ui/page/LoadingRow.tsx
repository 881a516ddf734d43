import { t } from '../../language.ts';
import styles from './Rows.module.css';

/** A placeholder for a list's rows. */
export const LoadingRow = () => (
  <div className={styles['row']}>
    <span className={styles['skeleton']} />
    <span className="visually-hidden">{t('Loading')}</span>
  </div>
);
