import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { FRESH_SIGN_IN_WINDOW } from '#contract/identity/identity.ts';
import { paths } from '../../paths.ts';
import { signedInAtQuery, totpQuery, usePoolAction } from '../../session/pool.ts';
import { useSession } from '../../session/session.ts';
import { CodeField, PasswordField } from '../../ui/forms/Fields.tsx';
import type { FormAction } from '../../ui/forms/useForm.ts';
import { firstMissing, signInCodeProblem } from '../../ui/forms/validation.ts';
import { useNow } from '../../ui/hooks.ts';
import { useTeam } from '../team.ts';
import styles from './FreshSignIn.module.css';

/** So long a form may be filled in after its fields were chosen (ms). */
const FILLED_IN_WITHIN = 5 * 60_000;

/** An action that asks for a sign-in of the last quarter of an hour, and the fields that give it. */
interface FreshSignIn {
  /** The password, and the code where two-step sign-in is on. Nothing where the sign-in is fresh. */
  readonly fields: ReactNode;
  /** What these fields still lack. */
  readonly missing: string | undefined;
  /** The action as its form or dialog shows it. */
  readonly action: FormAction;
  /** Gives the password first where that is needed, then does the thing. */
  run(act: () => Promise<boolean>): Promise<void>;
}

interface Guarded extends FormAction {
  readonly isRefused: (code: 'sign-in-again') => boolean;
}

/**
 * Asks for the password where an action needs it (docs/limits.md#fresh-sign-in), in the action's own form and before it is
 * filled in: the token says how old the sign-in is. The server has the last word; its refusal brings the fields too.
 * `to` ends the sentence above them: "to change your email".
 */
export function useFreshSignIn(guarded: Guarded, to: string): FreshSignIn {
  const prove = usePoolAction('signInAgain');
  const [isRefused, setRefused] = useState(false);
  const [asksCode, setAsksCode] = useState(false);
  const [typed, setTyped] = useState(NOTHING);
  const { isDemo } = useTeam();
  const { data: signedInAt } = useQuery({ ...signedInAtQuery, enabled: !isDemo });
  const { data: hasApp = false } = useQuery({ ...totpQuery, enabled: !isDemo });
  const now = useNow();
  const isRefusedNow = guarded.isRefused('sign-in-again');
  // What is typed meanwhile clears the refusal; the fields stay.
  if (isRefusedNow && !isRefused) setRefused(true);
  const isNeeded =
    !isDemo &&
    (isRefused || signedInAt === null || (signedInAt !== undefined && now - signedInAt > FRESH_SIGN_IN_WINDOW - FILLED_IN_WITHIN));
  const needsCode = hasApp || asksCode;
  const missing = firstMissing(
    [typed.password === '', 'Enter your password.'],
    [needsCode && signInCodeProblem(typed.code) !== undefined, 'Enter the current code from your app.'],
  );

  function type(change: Partial<typeof NOTHING>): void {
    setTyped({ ...typed, ...change });
    prove.reset();
  }

  async function run(act: () => Promise<boolean>): Promise<void> {
    if (isNeeded && !(await proved())) return;
    await act();
  }

  /** Whether the password was right, and the code if one is asked for. */
  async function proved(): Promise<boolean> {
    let outcome: 'done' | 'code' | undefined;
    await prove.run(typed, (given) => {
      outcome = given;
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
        For your safety, enter your password {to}.
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

/** The fields of a password that is given once more, below the sentence that says why. */
export function PasswordAgain({ typed, onTyped, needsCode, problemOf, children }: PasswordAgainProps) {
  const { user } = useTeam();
  const { hasHostedLogin } = useSession();
  return (
    <div className={styles['again']}>
      <p>{children}</p>
      {/* Tells password managers whose password this is. */}
      <input type="email" name="username" autoComplete="username" value={user.data.emailAddress} readOnly hidden />
      <PasswordField
        label="Your password"
        value={typed.password}
        error={problemOf('password')}
        onChange={({ currentTarget }) => onTyped({ password: currentTarget.value })}
      />
      {needsCode && (
        <CodeField
          label="Code from your app, or a backup code"
          value={typed.code}
          error={problemOf('code')}
          onChange={(code) => onTyped({ code })}
        />
      )}
      {hasHostedLogin && (
        <p>
          No password because you use single sign-on? <Link to={paths.signOut}>Sign out</Link> and in again, then come back.
        </p>
      )}
    </div>
  );
}
