import { IconCheck } from '@tabler/icons-react';
import { SIGN_UP_STEPS, type SignUpStep } from '#contract/billing.ts';
import styles from './Tracker.module.css';

/** The four steps: which are done, and which is being done. On a phone only the latter. */
export function Tracker({ step }: { step: SignUpStep }) {
  return (
    <>
      <ol className={styles['steps']} aria-label="Steps">
        {SIGN_UP_STEPS.map((name, place) => (
          <li key={name} data-done={place < step || undefined} aria-current={place === step ? 'step' : undefined}>
            <span className={styles['mark']} aria-hidden>
              {place < step ? <IconCheck size={16} stroke={2.5} /> : place + 1}
            </span>
            <span>
              {name}
              {place < step && <span className="visually-hidden">, done</span>}
            </span>
          </li>
        ))}
      </ol>
      <p className={styles['short']}>
        Step {step + 1} of {SIGN_UP_STEPS.length}
        <progress className={styles['bar']} max={SIGN_UP_STEPS.length} value={step + 1} aria-hidden />
      </p>
    </>
  );
}
