import { IconAlertCircle } from '@tabler/icons-react';
import { type FormEvent, useId, useState } from 'react';
import * as v from 'valibot';
import { email as emailSchema, MESSAGES } from '#contract/schema.ts';
import { signIn } from '../../session/session.ts';
import { Button, PasswordInput, TextInput } from '../../ui/mantine.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { isReady, missingOf } from './login.ts';
import styles from './SignIn.module.css';

interface LoginProps {
  readonly email: string;
  readonly onEmail: (email: string) => void;
  readonly onForgot: () => void;
}

/** Email and password. What is missing is said below the button, what went wrong below the fields. */
export function Login({ email, onEmail, onForgot }: LoginProps) {
  const [password, setPassword] = useState('');
  const [emailError, setEmailError] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const missing = useId();
  const draft = { email, password, emailError };
  useTitle('Sign in');

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!isReady(draft) || isBusy) return;
    setBusy(true);
    setFailure(undefined);
    setFailure(await attempt(email, password));
    setBusy(false);
  }

  return (
    <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
      <h1>Sign in</h1>
      <TextInput
        label="Email"
        type="email"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={email}
        error={emailError}
        errorProps={{ role: 'alert' }}
        rightSection={emailError && <IconAlertCircle size={18} color="var(--c-danger-text)" aria-hidden />}
        onChange={({ currentTarget }) => {
          onEmail(currentTarget.value.toLowerCase());
          setFailure(undefined);
          if (emailError) setEmailError(problemOf(currentTarget.value));
        }}
        onBlur={() => setEmailError(email === '' ? undefined : problemOf(email))}
      />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        value={password}
        visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
        onChange={({ currentTarget }) => {
          setPassword(currentTarget.value);
          setFailure(undefined);
        }}
      />
      <button type="button" className={styles['link']} onClick={onForgot}>
        Forgot password
      </button>
      {failure && (
        <p role="alert" className={styles['failure']}>
          <IconAlertCircle size={18} aria-hidden />
          {failure}
        </p>
      )}
      <Button type="submit" fullWidth size="md" disabled={!isReady(draft)} loading={isBusy} aria-describedby={missing}>
        Sign in
      </Button>
      <p id={missing} className={styles['missing']}>
        {missingOf(draft)}
      </p>
    </form>
  );
}

const problemOf = (email: string): string | undefined => (v.is(emailSchema, email) ? undefined : MESSAGES.email);

const UNFINISHED = {
  verify: 'User is not confirmed.',
  reset: 'A new password is needed for this account. Ask an admin of your team to set one.',
} as const;

/** Tries, and gives back what to say when it did not work. */
async function attempt(email: string, password: string): Promise<string | undefined> {
  try {
    const step = await signIn(email, password);
    return step === 'done' ? undefined : UNFINISHED[step];
  } catch (error) {
    return inWords(error);
  }
}

const UNREACHED = 'We can’t reach the server. Check your connection and try again.';

/** The service's own words (SPEC §8), but for a network that is not there. */
function inWords(error: unknown): string {
  const isOffline = !(error instanceof Error) || error.name !== 'SignInError' || ('isOffline' in error && error.isOffline === true);
  return isOffline ? UNREACHED : error.message;
}
