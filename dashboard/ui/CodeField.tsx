import { TextField } from './Fields.tsx';
import styles from './Form.module.css';
import { codeProblem } from './validation.ts';

interface CodeFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (code: string) => void;
}

/** Six digits from a mail or an app, pasted or typed. Blanks that came along are dropped. */
export function CodeField({ label, value, onValue }: CodeFieldProps) {
  return (
    <TextField
      label={label}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      maxLength={12}
      classNames={{ input: styles['code'] ?? '' }}
      value={value}
      onValue={(typed) => onValue(typed.replace(/\s/g, ''))}
      problem={codeProblem(value)}
    />
  );
}
