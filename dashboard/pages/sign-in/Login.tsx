import * as v from 'valibot';
import { t } from '../../language.ts';
import { translatedMessage } from '../../message.ts';
import { PASSWORD_LOCK } from '../../session/errors.ts';
import { useHostedReturn } from '../../session/hosted-return.ts';
import { usePoolAction } from '../../session/pool.ts';
import type { NextStep } from '../../session/pool-actions.ts';
import { forgetWhyEnded, useSession } from '../../session/session.ts';
import { EmailField, PasswordField } from '../../ui/forms/Fields.tsx';
import { Form, Submit } from '../../ui/forms/Form.tsx';
import { useForm } from '../../ui/forms/useForm.ts';
import { email as emailSchema } from '../../ui/forms/validation.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { ViewHeading } from '../../ui/page/CenteredPage.tsx';
import { TextLink } from '../../ui/page/TextLink.tsx';
import { Rich } from '../../ui/Rich.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import { missingOf } from './state.ts';

interface LoginProps {
  readonly email: string;
  readonly password: string;
  readonly onTyped: (typed: { email: string; password: string }) => void;
  /** Confirms the step that led here, such as a changed password. */
  readonly notice: string | undefined;
  readonly onForgot: () => void;
  /** Called if the password was right and another step is needed. */
  readonly onNext: (step: Exclude<NextStep, 'done'>) => void;
}

const SCHEMA = v.object({
  email: emailSchema,
  password: v.pipe(
    v.string(),
    v.nonEmpty(() => t('Please enter your password')),
  ),
});

/** Signs in with email and password. Missing input is stated below the button, a failure above it. */
export function Login({ email, password, onTyped, notice, onForgot, onNext }: LoginProps) {
  const signIn = usePoolAction('signIn');
  const { hasHostedLogin, whyEnded } = useSession();
  const form = useForm({
    initialValues: { email, password },
    schema: SCHEMA,
    action: signIn,
    onChange: (typed) => {
      forgetWhyEnded();
      onTyped(typed);
    },
  });
  const missing = missingOf({
    ...form.values,
    isWrong: form.errors['email'] !== undefined,
    isRefused: signIn.failure !== undefined && !signIn.isOffline,
  });
  return (
    <Form
      onSubmit={form.onSubmit(
        (credentials) =>
          void signIn.run(credentials, (step) => {
            if (step !== 'done') onNext(step);
          }),
      )}
    >
      <ViewHeading takesFocus={notice !== undefined || whyEnded !== undefined}>{t('Sign in')}</ViewHeading>
      <Notice tone="good">{notice}</Notice>
      {notice === undefined && <Notice tone="plain">{whyEnded && translatedMessage(whyEnded)}</Notice>}
      <EmailField {...form.getInputProps('email')} />
      <PasswordField {...form.getInputProps('password')} />
      <TextLink onClick={onForgot}>{t('Forgot password')}</TextLink>
      <Submit
        missing={missing}
        isPending={signIn.isPending}
        failure={signIn.failure}
        wayOut={
          signIn.failure === translatedMessage(PASSWORD_LOCK) && (
            <Rich
              text={t('Wait a minute, or <reset>reset your password</reset>.')}
              parts={{ reset: (text) => <TextLink onClick={onForgot}>{text}</TextLink> }}
            />
          )
        }
      >
        {t('Sign in')}
      </Submit>
      {hasHostedLogin && <SingleSignOn />}
    </Form>
  );
}

/** Opens the hosted sign-in page of the user pool, which may offer single sign-on. */
function SingleSignOn() {
  const leave = usePoolAction('signInElsewhere');
  const { failure } = useHostedReturn();
  return (
    <>
      <Notice tone="bad">{leave.failure ?? failure}</Notice>
      <Button variant="default" size="md" fullWidth loading={leave.isPending} onClick={() => void leave.run(undefined)}>
        {t('Sign in with single sign-on')}
      </Button>
    </>
  );
}
