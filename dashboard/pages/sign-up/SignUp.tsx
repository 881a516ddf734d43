import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Account } from '#contract/account.ts';
import type { SignUpStep } from '#contract/billing.ts';
import type { User } from '#contract/user.ts';
import { paths } from '../../paths.ts';
import { useSession } from '../../session/session.ts';
import { useDelayed } from '../../ui/hooks.ts';
import { Loader, useWindowEvent } from '../../ui/mantine.ts';
import { Wordmark } from '../../ui/Wordmark.tsx';
import { ChoosePlan } from './ChoosePlan.tsx';
import { CreateAccount } from './CreateAccount.tsx';
import { Elsewhere } from './Elsewhere.tsx';
import { GetStarted } from './GetStarted.tsx';
import { dropPending, usePending } from './pending.ts';
import { ReviewPlan } from './ReviewPlan.tsx';
import styles from './SignUp.module.css';
import { isLocked, stepOf } from './steps.ts';
import { Tracker } from './Tracker.tsx';
import { useShownStep } from './useShownStep.ts';
import { VerifyAccount } from './VerifyAccount.tsx';

export interface SignUpProps {
  readonly account: Account | undefined;
  readonly user: User | undefined;
  readonly users: readonly User[];
  readonly isUserMissing: boolean;
  /** Reads the account anew. */
  readonly refetch: () => void;
}

/** Four steps, each chosen from what the account has: a refresh, another tab or a lost answer comes to the same one. */
export function SignUp({ account, user, users, isUserMissing, refetch }: SignUpProps) {
  const stage = useSession((session) => session.stage);
  const [isChanging, setChanging] = useState(false);
  const actual = stepOf({ stage, account, isUserMissing });
  const target = isChanging && actual === 2 ? 1 : actual;
  const { step, isLeaving } = useShownStep<SignUpStep>(target);
  // Another tab may have gone on meanwhile.
  useWindowEvent('visibilitychange', () => document.visibilityState === 'visible' && refetch());
  useEffect(() => {
    if (account) dropPending();
  }, [account]);

  if (account && user && (isLocked(account) || user.data.level !== 'admin')) return <Elsewhere account={account} users={users} />;
  return (
    <main className={styles['page']} data-wide={(step ?? 0) > 0 || undefined}>
      <div className={styles['mark']}>
        <Wordmark />
      </div>
      <div className={styles['tracker']}>{step !== undefined && <Tracker step={target ?? step} />}</div>
      <div className={styles['panel']}>
        <div className={styles['card']}>
          <div className={styles['content']} data-leaving={isLeaving || undefined}>
            {step === 0 && <FirstStep />}
            {step === 1 && account && <ChoosePlan key="plan" account={account} onChosen={() => setChanging(false)} />}
            {step === 2 && account && <ReviewPlan account={account} onChange={() => setChanging(true)} />}
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
  const { pending } = usePending();
  const [isFirst, setFirst] = useState(true);
  useEffect(() => setFirst(false), []);
  return pending ? <VerifyAccount pending={pending} /> : <CreateAccount takesFocus={!isFirst} />;
}

function Waiting() {
  const isLong = useDelayed(true);
  return (
    <div className={styles['waiting']} role="status" aria-busy>
      {isLong && <Loader size="sm" aria-label="Loading" />}
    </div>
  );
}

function Below({ user, isSignedIn }: { user: User | undefined; isSignedIn: boolean }) {
  return (
    <p className={styles['below']}>
      {isSignedIn ? (
        <>
          {user && `Signed in as ${user.data.emailAddress}. `}
          <Link to={paths.signOut}>Sign out</Link>
        </>
      ) : (
        <>
          Already have an account? <Link to={paths.feed}>Sign in</Link>
        </>
      )}
    </p>
  );
}
