import { TextField } from './Fields.tsx';
import { emailProblem } from './validation.ts';

interface EmailFieldProps {
  readonly label?: string;
  readonly value: string;
  readonly onValue: (email: string) => void;
  readonly onBlur?: () => void;
  readonly refused?: string | undefined;
  /** Signing in names the person; elsewhere it is how to reach them. */
  readonly autoComplete?: 'username' | 'email' | 'off';
}

/** An address to sign in with, lower-cased as it is typed (SPEC §5). */
export function EmailField({ label = 'Email', value, onValue, onBlur, refused, autoComplete = 'username' }: EmailFieldProps) {
  return (
    <TextField
      label={label}
      type="email"
      name={autoComplete === 'username' ? 'username' : 'email'}
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      onValue={(typed) => onValue(typed.toLowerCase())}
      problem={emailProblem(value)}
      refused={refused}
      {...(onBlur && { onBlur })}
    />
  );
}
