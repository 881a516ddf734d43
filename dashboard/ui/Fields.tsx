import { IconAlertCircle } from '@tabler/icons-react';
import { type ComponentProps, useState } from 'react';
import styles from './Form.module.css';
import { TextInput } from './mantine.ts';

interface TextFieldProps extends Omit<ComponentProps<typeof TextInput>, 'value' | 'onChange' | 'error'> {
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** What is wrong with the value as it stands; shown once the field was left. */
  readonly problem?: string | undefined;
  /** What the server said is wrong; shown at once. */
  readonly refused?: string | undefined;
  /** How many characters there may be; counted beside the text. */
  readonly limit?: number;
}

/** A line of text. Looked at on leaving the field, and again at each change once it was wrong (design §4). */
export function TextField({ value, onValue, problem, refused, limit, onBlur, ...rest }: TextFieldProps) {
  const [isWatched, setWatched] = useState(false);
  const error = refused ?? (isWatched ? problem : undefined);
  return (
    <TextInput
      {...rest}
      value={value}
      maxLength={limit}
      error={error}
      errorProps={{ role: 'alert' }}
      rightSectionWidth={limit === undefined ? undefined : 52}
      rightSection={error ? <IconAlertCircle size={18} color="var(--c-danger-text)" aria-hidden /> : counted(value, limit)}
      onChange={({ currentTarget }) => onValue(currentTarget.value)}
      onBlur={(event) => {
        setWatched(value !== '');
        onBlur?.(event);
      }}
    />
  );
}

const counted = (value: string, limit: number | undefined) =>
  limit !== undefined && (
    <span className={styles['count']} aria-hidden>
      {value.length}/{limit}
    </span>
  );
