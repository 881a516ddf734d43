import { type ReactNode, useState } from 'react';
import * as v from 'valibot';
import { MESSAGES } from '#contract/core/schema.ts';
import { translatable } from '#contract/language/translate.ts';
import { t } from '../../language.ts';
import { translatedMessage } from '../../message.ts';
import { Failure } from '../messages/Notice.tsx';
import { TextLink } from '../page/TextLink.tsx';
import { useInterval } from '../theme/mantine.ts';
import { CodeField } from './Fields.tsx';
import styles from './Form.module.css';
import { Form, Submit } from './Form.tsx';
import { type FormAction, useForm } from './useForm.ts';
import { codeProblem, code as codeSchema, firstMissing } from './validation.ts';

/** The action that receives the code. */
export interface CodeAction extends FormAction {
  readonly run: (code: string) => void;
}

interface CodeFormProps {
  /** The form's name, if no heading gives it. */
  readonly label?: string;
  readonly from: keyof typeof KINDS;
  readonly verb: string;
  readonly action: CodeAction;
  /** Shown above the field. */
  readonly children: ReactNode;
  readonly below: ReactNode;
}

const SIX_DIGITS = /^\d{6}$/;
const KINDS = {
  mail: {
    label: translatable('Verification code'),
    missing: (code: string) =>
      firstMissing(
        [code === '', t('Enter the code from the email.')],
        [codeProblem(code) !== undefined, translatedMessage(MESSAGES.highlighted)],
      ),
  },
  app: {
    label: translatable('Code from your app'),
    missing: (code: string) => firstMissing([!SIX_DIGITS.test(code), t('Enter the current six digits from your app.')]),
  },
};
const SCHEMA = v.object({ code: codeSchema });

/** Asks for a code from an email or an app. */
export function CodeForm({ label, from, verb, action, children, below }: CodeFormProps) {
  const form = useForm({ initialValues: { code: '' }, schema: SCHEMA, action });
  return (
    <Form {...(label !== undefined && { label })} onSubmit={form.onSubmit(({ code }) => action.run(code))}>
      {children}
      <CodeField label={t(KINDS[from].label)} {...form.getInputProps('code')} />
      <Submit missing={KINDS[from].missing(form.values.code)} isPending={action.isPending} failure={action.failure}>
        {verb}
      </Submit>
      {below}
    </Form>
  );
}

/** The time between two codes (s). */
const WAIT = 30;

/** Explains the limit to someone who asked too often (docs/limits.md#hourly). */
export const nextCode = (): string => t('You can ask for a new code every {seconds} seconds, and five times an hour.', { seconds: WAIT });

interface ResendProps {
  /** Resolves to true if the code was sent. */
  readonly onResend: () => Promise<boolean>;
  readonly failure: string | undefined;
  /** A remedy, shown below the failure. */
  readonly wayOut: ReactNode;
  /** A code was sent just now, so another one has to wait. */
  readonly isFresh: boolean;
}

/** Sends another code, half a minute after the last. Screen readers don't announce the countdown. */
export function Resend({ onResend, failure, wayOut, isFresh }: ResendProps) {
  const [left, setLeft] = useState(isFresh ? WAIT : 0);
  const [isSent, setSent] = useState(false);
  const isWaiting = left > 0;
  useInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1_000, { autoInvoke: true });

  async function resend(): Promise<void> {
    setSent(false);
    if (!(await onResend())) return;
    setSent(true);
    setLeft(WAIT);
  }

  return (
    <div className={styles['resend']}>
      <p>
        {t('Didn’t get it?')}{' '}
        {isWaiting ? (
          t('You can ask for a new code in {time}', { time: `0:${String(left).padStart(2, '0')}` })
        ) : (
          <TextLink onClick={() => void resend()}>{t('Send a new code')}</TextLink>
        )}
      </p>
      <div role="status">{isSent && t('A new code is on its way.')}</div>
      <Failure wayOut={wayOut}>{failure}</Failure>
    </div>
  );
}
