import { useState } from 'react';
import { PASSWORD_MINIMUM } from '#contract/identity.ts';
import { PasswordInput } from './mantine.ts';
import { passwordProblem } from './validation.ts';

interface PasswordFieldProps {
  readonly label?: string;
  readonly value: string;
  readonly onValue: (password: string) => void;
  /** A new one is held to the rules. */
  readonly isNew?: boolean;
  readonly refused?: string | undefined;
}

/** A password that can be pasted, kept by the browser, and looked at. */
export function PasswordField({ label = 'Password', value, onValue, isNew = false, refused }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const [isWatched, setWatched] = useState(false);
  return (
    <PasswordInput
      label={label}
      {...(isNew && { description: `${PASSWORD_MINIMUM} or more characters` })}
      name={isNew ? 'new-password' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      value={value}
      visible={isShown}
      onVisibilityChange={setShown}
      visibilityToggleButtonProps={{ 'aria-label': 'Show password', 'aria-pressed': isShown, tabIndex: 0 }}
      error={refused ?? (isNew && isWatched ? passwordProblem(value) : undefined)}
      errorProps={{ role: 'alert' }}
      onBlur={() => setWatched(value !== '')}
      onChange={({ currentTarget }) => onValue(currentTarget.value)}
    />
  );
}
