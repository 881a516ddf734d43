import { IconCheck } from '@tabler/icons-react';
import { annualSavings, costInWords, type PaymentFrequency, type Plan, PRO_FEATURES, planPrice } from '#contract/billing/billing.ts';
import { formatDollars } from '#contract/language/formats.ts';
import { t } from '../../language.ts';
import { percent } from '../../ui/format/number.ts';
import { Rich } from '../../ui/Rich.tsx';
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
    description={t('save {percent} with annual billing', { percent: percent(annualSavings(OFFERED_PLAN)) })}
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
    <section className={styles['card']} aria-label={t('{plan} plan', { plan })}>
      <div className={styles['price']} aria-live="polite">
        <Heading>{plan}</Heading>
        <p>
          <Rich
            text={t('<price>{price}</price>/month', { price: formatDollars(t, planPrice(plan, frequency)) })}
            parts={{ price: (price) => <strong>{price}</strong> }}
          />
        </p>
        <p className={styles['yearly']}>
          {frequency === 'Annual'
            ? t('{cost} ({percent} savings)', { cost: costInWords(t, plan, 'Annual'), percent: percent(annualSavings(plan)) })
            : t('Billed every month')}
        </p>
      </div>
      <ul className={styles['features']}>
        {PRO_FEATURES.map((feature) => (
          <li key={t(feature)}>
            <IconCheck size={18} aria-hidden />
            {t(feature)}
          </li>
        ))}
      </ul>
    </section>
  );
}
