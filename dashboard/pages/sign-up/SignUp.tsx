import { IconCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Account } from '#contract/account/account.ts';
import { SIGN_UP_STEPS, type SignUpStep } from '#contract/billing/billing.ts';
import type { User } from '#contract/user/user.ts';
import { usePublicConfig } from '../../data/usePublicConfig.ts';
import { useIsBilled } from '../../frame/plan/plan.ts';
import { t } from '../../language.ts';
import { paths } from '../../paths.ts';
import { useSession } from '../../session/session.ts';
import { useDelayed } from '../../ui/hooks.ts';
import { Wordmark } from '../../ui/page/Wordmark.tsx';
import { Loader, useReducedMotion, useWindowEvent } from '../../ui/theme/mantine.ts';
import { CreateAccount, VerifyAccount } from './CreateAccount.tsx';
import { GetStarted } from './GetStarted.tsx';
import { NotSetUp } from './NotSetUp.tsx';
import { ChoosePlan, ReviewPlan } from './Plan.tsx';
import { clearPending, usePending } from './pending.ts';
import styles from './SignUp.module.css';
import { SignUpClosed } from './SignUpClosed.tsx';
import { stepOf, stepsOf } from './steps.ts';
import { useStepHistory } from './useStepHistory.ts';

interface SignUpProps {
  readonly account: Account | undefined;
  readonly user: User | undefined;
  readonly users: readonly User[];
  readonly isUserMissing: boolean;
  /** Reloads the account. */
  readonly refetch: () => void;
}

/** The sign-up steps. The current one follows from the account, so a refresh, another tab or a lost response gets the same one. */
export function SignUp({ account, user, users, isUserMissing, refetch }: SignUpProps) {
  const stage = useSession((session) => session.stage);
  const { registration = 'open' } = usePublicConfig() ?? {};
  const isBilled = useIsBilled();
  const isWaiting = usePending(({ pending }) => pending !== undefined);
  const actual = stepOf({ stage, account, isUserMissing, isBilled });
  const { step: target, open } = useStepHistory(actual);
  /** Opens a step that the account has already reached; otherwise the step changes with the account. */
  const openIfReached = (next: SignUpStep) => (actual ?? 0) >= next && open(next);
  const { step, isLeaving } = useShownStep<SignUpStep>(target);
  // Another tab may have completed steps.
  useWindowEvent('visibilitychange', () => document.visibilityState === 'visible' && refetch());
  useEffect(() => {
    if (account && step !== 0) clearPending();
  }, [account, step]);

  if (account && user && user.data.level !== 'admin') return <NotSetUp account={account} users={users} />;
  if (registration !== 'open' && step === 0 && !isWaiting)
    return <SignUpClosed registration={registration} isSignedIn={stage === 'authenticated'} />;
  return (
    <main className={styles['page']} data-wide={(target ?? step ?? 0) > 0 || undefined}>
      <div className={styles['mark']}>
        <Wordmark />
      </div>
      <div className={styles['tracker']}>{step !== undefined && <StepTracker step={target ?? step} steps={stepsOf(isBilled)} />}</div>
      <div className={styles['panel']}>
        <div className={styles['card']}>
          <div className={styles['content']} data-leaving={isLeaving || undefined}>
            {step === 0 && <FirstStep />}
            {step === 1 && account && <ChoosePlan key="plan" account={account} onChosen={() => openIfReached(2)} />}
            {step === 2 && account && <ReviewPlan account={account} onChange={() => open(1)} onStarted={() => openIfReached(3)} />}
            {step === 3 && account && user && <GetStarted account={account} user={user} />}
            {step === undefined && <Waiting />}
          </div>
        </div>
        <Below user={user} isSignedIn={stage === 'authenticated'} />
      </div>
    </main>
  );
}

function FirstStep() {
  const { pending, draft } = usePending();
  const [isFirst, setFirst] = useState(true);
  useEffect(() => setFirst(false), []);
  return pending ? (
    <VerifyAccount key={pending.userId} pending={pending} password={draft?.password} />
  ) : (
    <CreateAccount takesFocus={!isFirst} />
  );
}

function Waiting() {
  const isLong = useDelayed(true);
  return (
    <div className={styles['waiting']} role="status" aria-busy>
      {isLong && <Loader size="sm" aria-label={t('Loading')} />}
    </div>
  );
}

function Below({ user, isSignedIn }: { user: User | undefined; isSignedIn: boolean }) {
  return (
    <p className={styles['below']}>
      {isSignedIn ? (
        <>
          {user && `${t('Signed in as {email}.', { email: user.data.emailAddress })} `}
          <Link to={paths.signOut}>{t('Sign out')}</Link>
        </>
      ) : (
        <>
          {t('Already have an account?')} <Link to={paths.feed}>{t('Sign in')}</Link>
        </>
      )}
    </p>
  );
}

/** The steps with the current one. On a phone only the current one. */
function StepTracker({ step, steps }: { step: SignUpStep; steps: readonly SignUpStep[] }) {
  const at = steps.indexOf(step);
  return (
    <>
      <ol className={styles['steps']} aria-label={t('Steps')}>
        {steps.map((each, index) => (
          <li key={each} data-done={index < at || undefined} aria-current={each === step ? 'step' : undefined}>
            <span className={styles['stepMark']} aria-hidden>
              {index < at ? <IconCheck size={16} stroke={2.5} /> : index + 1}
            </span>
            <span>
              {t(SIGN_UP_STEPS[each])}
              {index < at && <span className="visually-hidden">{t(', done')}</span>}
            </span>
          </li>
        ))}
      </ol>
      <p className={styles['short']}>
        {t('Step {step} of {steps}', { step: at + 1, steps: steps.length })}
        <progress className={styles['bar']} max={steps.length} value={at + 1} aria-hidden />
      </p>
    </>
  );
}

/** The previous step leaves in this time (ms; docs/rules.md#sign-up-steps). */
const LEAVES_FOR = 550;

interface ShownStep<Step> {
  /** The shown step; undefined until the first is known. */
  readonly step: Step | undefined;
  readonly isLeaving: boolean;
}

/** Returns the step to show. It follows the target after 550 ms, and at once with reduced motion. */
function useShownStep<Step>(target: Step | undefined): ShownStep<Step> {
  const [step, setStep] = useState(target);
  const isReduced = useReducedMotion(false, { getInitialValueInEffect: false });
  const isLeaving = target !== undefined && step !== undefined && step !== target;
  useEffect(() => {
    if (target === undefined || step === target) return;
    const timer = setTimeout(() => setStep(target), step === undefined || isReduced ? 0 : LEAVES_FOR);
    return () => clearTimeout(timer);
  }, [target, step, isReduced]);
  return { step, isLeaving };
}
