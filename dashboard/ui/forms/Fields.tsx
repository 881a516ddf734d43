import { IconAlertCircle } from '@tabler/icons-react';
import { type ComponentProps, useState } from 'react';
import { PASSWORD_MINIMUM } from '#contract/identity/identity.ts';
import { t } from '../../language.ts';
import { PasswordInput, TextInput } from '../theme/mantine.ts';
import styles from './Form.module.css';
import { lengthOf } from './validation.ts';

/* Form fields. `form.getInputProps('name')` provides the value, error and handlers. */

interface TextFieldProps extends ComponentProps<typeof TextInput> {
  /** The most characters; a counter is shown beside the text. */
  readonly limit?: number;
}

/** A single-line text field. */
export function TextField({ limit, value = '', error, ...rest }: TextFieldProps) {
  return (
    <TextInput
      {...rest}
      value={value}
      error={error}
      errorProps={{ role: 'alert' }}
      rightSectionWidth={limit === undefined ? undefined : 52}
      rightSection={error ? <IconAlertCircle size={18} color="var(--c-danger-text)" aria-hidden /> : counterOf(String(value), limit)}
    />
  );
}

const counterOf = (value: string, limit: number | undefined) =>
  limit !== undefined && (
    <span className={styles['count']} aria-hidden>
      {lengthOf(value)}/{limit}
    </span>
  );

interface TypedFieldProps extends Omit<TextFieldProps, 'onChange'> {
  readonly onChange?: (value: string) => void;
}

interface EmailFieldProps extends TypedFieldProps {
  /** `username` for signing in; `email` for a contact address. */
  readonly autoComplete?: 'username' | 'email' | 'off';
}

/** An email, lowercased as it is typed (docs/rules.md#fields). */
export const EmailField = ({ label = t('Email'), autoComplete = 'username', onChange, ...rest }: EmailFieldProps) => (
  <TextField
    label={label}
    type="email"
    name={autoComplete === 'username' ? 'username' : 'email'}
    autoComplete={autoComplete}
    autoCapitalize="none"
    spellCheck={false}
    onChange={({ currentTarget }) => onChange?.(currentTarget.value.toLowerCase())}
    {...rest}
  />
);

/** A six-digit code from an email or an app. Removes pasted spaces. */
export const CodeField = ({ onChange, ...rest }: TypedFieldProps) => (
  <TextField
    name="code"
    inputMode="numeric"
    autoComplete="one-time-code"
    spellCheck={false}
    maxLength={12}
    classNames={{ input: styles['code'] ?? '' }}
    onChange={({ currentTarget }) => onChange?.(currentTarget.value.replace(/\s/g, ''))}
    {...rest}
  />
);

interface PasswordFieldProps extends ComponentProps<typeof PasswordInput> {
  /** A new password, checked against the rules. */
  readonly isNew?: boolean;
}

/** A password that can be pasted, saved by the browser, and shown. */
export function PasswordField({ label = t('Password'), isNew = false, ...rest }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <PasswordInput
      label={label}
      {...(isNew && { description: t('{count} or more characters', { count: PASSWORD_MINIMUM }) })}
      name={isNew ? 'new-password' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      visible={isShown}
      onVisibilityChange={setShown}
      visibilityToggleButtonProps={{ 'aria-label': t('Show password'), 'aria-pressed': isShown, tabIndex: 0 }}
      errorProps={{ role: 'alert' }}
      {...rest}
    />
  );
}
