import * as v from 'valibot';
import { usePoolAction } from '../../session/pool.ts';
import { EmailField } from '../../ui/Fields.tsx';
import { Form, Lead, Submit } from '../../ui/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Heading } from '../../ui/Panel.tsx';
import { useForm } from '../../ui/useForm.ts';
import { emailProblem, email as emailSchema, firstMissing } from '../../ui/validation.ts';

interface ForgotProps {
  readonly email: string;
  readonly onTyped: (typed: { email: string }) => void;
  readonly onAsked: () => void;
}

const SCHEMA = v.object({ email: emailSchema });

/** Asks for a reset code by mail. */
export function Forgot({ email, onTyped, onAsked }: ForgotProps) {
  const request = usePoolAction('requestPasswordReset');
  const form = useForm({ initialValues: { email }, schema: SCHEMA, action: request, onChange: onTyped });
  const missing = firstMissing(
    [form.values.email === '', 'Enter your email to get a code.'],
    [emailProblem(form.values.email) !== undefined, 'Enter your whole email address.'],
  );
  return (
    <Form onSubmit={form.onSubmit((typed) => void request.run(typed.email, onAsked))}>
      <Heading>Forgot password?</Heading>
      <Lead>Enter your email and we’ll send a reset code.</Lead>
      <EmailField {...form.getInputProps('email')} />
      <Notice tone="bad">{request.failure}</Notice>
      <Submit missing={missing} isBusy={request.isPending}>
        Continue
      </Submit>
    </Form>
  );
}
