import * as v from 'valibot';
import type { NextStep } from '../../session/auth.ts';
import { useHostedReturn } from '../../session/hosted-return.ts';
import { usePoolAction } from '../../session/pool.ts';
import { useSession } from '../../session/session.ts';
import { ViewHeading } from '../../ui/CenteredPage.tsx';
import { EmailField, PasswordField } from '../../ui/Fields.tsx';
import { Form, Submit } from '../../ui/Form.tsx';
import { Button } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { useForm } from '../../ui/useForm.ts';
import { email as emailSchema } from '../../ui/validation.ts';
import { missingOf } from './state.ts';

interface LoginProps {
  readonly email: string;
  readonly password: string;
  readonly onTyped: (typed: { email: string; password: string }) => void;
  /** The good news that led back here. */
  readonly notice: string | undefined;
  readonly onForgot: () => void;
  /** The password was right, and something else is needed. */
  readonly onNext: (step: Exclude<NextStep, 'done'>) => void;
}

const SCHEMA = v.object({ email: emailSchema, password: v.string() });

/** Email and password. What is missing is said below the button, what went wrong above it. */
export function Login({ email, password, onTyped, notice, onForgot, onNext }: LoginProps) {
  const signIn = usePoolAction('signIn');
  const { hasHostedLogin } = useSession();
  const form = useForm({ initialValues: { email, password }, schema: SCHEMA, action: signIn, onChange: onTyped });
  const missing = missingOf({ ...form.values, isWrong: form.errors['email'] !== undefined });
  return (
    <Form
      onSubmit={form.onSubmit(
        (credentials) =>
          void signIn.run(credentials, (step) => {
            if (step !== 'done') onNext(step);
          }),
      )}
    >
      <ViewHeading takesFocus={notice !== undefined}>Sign in</ViewHeading>
      <Notice tone="good">{notice}</Notice>
      <EmailField {...form.getInputProps('email')} />
      <PasswordField {...form.getInputProps('password')} />
      <TextLink onClick={onForgot}>Forgot password</TextLink>
      <Submit missing={missing} isPending={signIn.isPending} failure={signIn.failure}>
        Sign in
      </Submit>
      {hasHostedLogin && <SingleSignOn />}
    </Form>
  );
}

/** Leaves for the pool's own page, where a company's own sign-in can stand. */
function SingleSignOn() {
  const leave = usePoolAction('signInElsewhere');
  const { failure } = useHostedReturn();
  return (
    <>
      <Notice tone="bad">{leave.failure ?? failure}</Notice>
      <Button variant="default" size="md" fullWidth loading={leave.isPending} onClick={() => void leave.run(undefined)}>
        Sign in with single sign-on
      </Button>
    </>
  );
}
