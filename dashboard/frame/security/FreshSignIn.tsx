import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { FRESH_SIGN_IN_WINDOW } from '#contract/identity/identity.ts';
import { t } from '../../language.ts';
import { paths } from '../../paths.ts';
import { signedInAtQuery, totpQuery, usePoolAction } from '../../session/pool.ts';
import { useSession } from '../../session/session.ts';
import { CodeField, PasswordField } from '../../ui/forms/Fields.tsx';
import type { FormAction } from '../../ui/forms/useForm.ts';
import { firstMissing, signInCodeProblem } from '../../ui/forms/validation.ts';
import { useNow } from '../../ui/hooks.ts';
import { Rich } from '../../ui/Rich.tsx';
import { useTeam } from '../team.ts';
import styles from './FreshSignIn.module.css';

/** How long filling in a form may take after its fields were chosen (ms). */
const FILLED_IN_WITHIN = 5 * 60_000;

/** An action that requires a sign-in within the last 15 minutes, and its password fields. */
interface FreshSignIn {
  /** The password, and the code if two-step sign-in is on; nothing while the sign-in is recent. */
  readonly fields: ReactNode;
  /** The message for a missing value in these fields. */
  readonly missing: string | undefined;
  /** The action for its form or dialog. */
  readonly action: FormAction;
  /** Signs in again if needed, then runs the action. */
  run(act: () => Promise<boolean>): Promise<void>;
}

interface Guarded extends FormAction {
  readonly isRefused: (code: 'sign-in-again') => boolean;
}

/**
 * Adds password fields to an action's form if the sign-in is too old (docs/limits.md#fresh-sign-in). The token contains the
 * time of the sign-in; a refusal by the server also shows the fields. `why` is the sentence above them.
 */
export function useFreshSignIn(guarded: Guarded, why: string): FreshSignIn {
  const prove = usePoolAction('signInAgain');
  const [isRefused, setRefused] = useState(false);
  const [asksCode, setAsksCode] = useState(false);
  const [typed, setTyped] = useState(NOTHING);
  const { isDemo } = useTeam();
  const { data: signedInAt } = useQuery({ ...signedInAtQuery, enabled: !isDemo });
  const { data: hasApp = false } = useQuery({ ...totpQuery, enabled: !isDemo });
  const now = useNow();
  const isRefusedNow = guarded.isRefused('sign-in-again');
  // Typing clears the refusal, but the fields must stay.
  if (isRefusedNow && !isRefused) setRefused(true);
  const isNeeded =
    !isDemo &&
    (isRefused || signedInAt === null || (signedInAt !== undefined && now - signedInAt > FRESH_SIGN_IN_WINDOW - FILLED_IN_WITHIN));
  const needsCode = hasApp || asksCode;
  const missing = firstMissing(
    [typed.password === '', t('Enter your password.')],
    [needsCode && signInCodeProblem(typed.code) !== undefined, t('Enter the current code from your app.')],
  );

  function type(change: Partial<typeof NOTHING>): void {
    setTyped({ ...typed, ...change });
    prove.reset();
  }

  async function run(act: () => Promise<boolean>): Promise<void> {
    if (isNeeded && !(await signInAgain())) return;
    await act();
  }

  /** Returns whether the password, and the code if required, were correct. */
  async function signInAgain(): Promise<boolean> {
    let outcome: 'done' | 'code' | undefined;
    await prove.run(typed, (result) => {
      outcome = result;
    });
    setAsksCode(asksCode || outcome === 'code');
    if (outcome !== 'done') return false;
    setTyped(NOTHING);
    setRefused(false);
    return true;
  }

  return {
    fields: isNeeded && (
      <PasswordAgain typed={typed} onTyped={type} needsCode={needsCode} problemOf={prove.problemOf}>
        {why}
      </PasswordAgain>
    ),
    missing: isNeeded ? missing : undefined,
    action: {
      isPending: guarded.isPending || prove.isPending,
      failure:
        prove.problemOf('password') || prove.problemOf('code')
          ? undefined
          : (prove.failure ?? (isRefusedNow ? undefined : guarded.failure)),
      problemOf: guarded.problemOf,
      reset() {
        guarded.reset();
        prove.reset();
      },
    },
    run,
  };
}

export const NOTHING = { password: '', code: '' };

interface PasswordAgainProps {
  readonly typed: typeof NOTHING;
  readonly onTyped: (change: Partial<typeof NOTHING>) => void;
  readonly needsCode: boolean;
  readonly problemOf: (field: string) => string | undefined;
  readonly children: ReactNode;
}

/** The fields for signing in again, below the sentence that explains why. */
export function PasswordAgain({ typed, onTyped, needsCode, problemOf, children }: PasswordAgainProps) {
  const { user } = useTeam();
  const { hasHostedLogin } = useSession();
  return (
    <div className={styles['again']}>
      <p>{children}</p>
      {/* Lets password managers find the right password. */}
      <input type="email" name="username" autoComplete="username" value={user.data.emailAddress} readOnly hidden />
      <PasswordField
        label={t('Your password')}
        value={typed.password}
        error={problemOf('password')}
        onChange={({ currentTarget }) => onTyped({ password: currentTarget.value })}
      />
      {needsCode && (
        <CodeField
          label={t('Code from your app, or a backup code')}
          value={typed.code}
          error={problemOf('code')}
          onChange={(code) => onTyped({ code })}
        />
      )}
      {hasHostedLogin && (
        <p>
          <Rich
            text={t('No password because you use single sign-on? <out>Sign out</out> and in again, then come back.')}
            parts={{ out: (text) => <Link to={paths.signOut}>{text}</Link> }}
          />
        </p>
      )}
    </div>
  );
}
