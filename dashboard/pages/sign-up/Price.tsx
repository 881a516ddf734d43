import { costsInWords, TRIAL_DAYS } from '#contract/billing/billing.ts';
import { formatDollars } from '#contract/language/formats.ts';
import { OFFERED_PLAN } from '../../frame/plan/PlanCard.tsx';
import { TestMode } from '../../frame/plan/TestMode.tsx';
import { t } from '../../language.ts';
import styles from './Plan.module.css';

/** The price, and that nothing is due yet, above the first field. */
export const Price = () => (
  <>
    <TestMode />
    <div className={styles['upfront']}>
      <p>
        <strong>{t('{plan} plan', { plan: OFFERED_PLAN })}</strong> {costsInWords(t, OFFERED_PLAN)}
      </p>
      <p>
        <strong>{t('Due today {price}', { price: formatDollars(t, 0) })}</strong>{' '}
        {t('All plans come with a {days} day free trial. No card is needed now.', { days: TRIAL_DAYS })}
      </p>
    </div>
  </>
);
