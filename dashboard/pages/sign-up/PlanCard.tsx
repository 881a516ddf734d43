import { IconCheck } from '@tabler/icons-react';
import { annualSavings, costInWords, type PaymentFrequency, type Plan, PRO_FEATURES, planPrice } from '#contract/billing.ts';
import styles from './Plan.module.css';

/** What a plan costs and has. */
export function PlanCard({ plan, frequency }: { plan: Plan; frequency: PaymentFrequency }) {
  return (
    <section className={styles['card']} aria-label={`${plan} plan`}>
      <div className={styles['price']} aria-live="polite">
        <h2>{plan}</h2>
        <p>
          <strong>${planPrice(plan, frequency)}</strong>/month
        </p>
        <p className={styles['yearly']}>
          {frequency === 'Annual' ? `${costInWords(plan, 'Annual')} (${annualSavings(plan)}% savings)` : 'Billed every month'}
        </p>
      </div>
      <ul className={styles['features']}>
        {PRO_FEATURES.map((feature) => (
          <li key={feature}>
            <IconCheck size={18} aria-hidden />
            {feature}
          </li>
        ))}
      </ul>
    </section>
  );
}
