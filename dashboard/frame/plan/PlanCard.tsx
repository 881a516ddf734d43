import { IconCheck } from '@tabler/icons-react';
import { annualSavings, costInWords, type PaymentFrequency, type Plan, PRO_FEATURES, planPrice } from '#contract/billing/billing.ts';
import { t } from '../../language.ts';
import { Switch } from '../../ui/theme/mantine.ts';
import styles from './PlanCard.module.css';

/** The only plan on offer (docs/rules.md#prices). */
export const OFFERED_PLAN = 'Pro';

interface AnnualSwitchProps {
  readonly frequency: PaymentFrequency;
  readonly isDisabled?: boolean;
  readonly onChange: (frequency: PaymentFrequency) => void;
}

/** Switches between annual and monthly payment. */
export const AnnualSwitch = ({ frequency, isDisabled = false, onChange }: AnnualSwitchProps) => (
  <Switch
    label={t('Pay annually')}
    description={`save ${annualSavings(OFFERED_PLAN)}% with annual billing`}
    labelPosition="left"
    checked={frequency === 'Annual'}
    disabled={isDisabled}
    onChange={({ currentTarget }) => onChange(currentTarget.checked ? 'Annual' : 'Monthly')}
  />
);

interface PlanCardProps {
  readonly plan: Plan;
  readonly frequency: PaymentFrequency;
  /** Its level on the page. */
  readonly Heading: 'h2' | 'h4';
}

/** Shows a plan's price and features. */
export function PlanCard({ plan, frequency, Heading }: PlanCardProps) {
  return (
    <section className={styles['card']} aria-label={`${plan} plan`}>
      <div className={styles['price']} aria-live="polite">
        <Heading>{plan}</Heading>
        <p>
          <strong>${planPrice(plan, frequency)}</strong>/month
        </p>
        <p className={styles['yearly']}>
          {frequency === 'Annual' ? `${costInWords(plan, 'Annual')} (${annualSavings(plan)}% savings)` : t('Billed every month')}
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
