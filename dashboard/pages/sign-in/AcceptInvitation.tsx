import * as v from 'valibot';
import { useAction } from '../../data/useAction.ts';
import { clearLink, useMailedLink } from '../../session/link.ts';
import { usePoolAction } from '../../session/pool.ts';
import { CenteredPage, ViewHeading } from '../../ui/CenteredPage.tsx';
import { PasswordField } from '../../ui/Fields.tsx';
import { Form, Lead, Submit } from '../../ui/Form.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { useForm } from '../../ui/useForm.ts';
import { firstMissing, newPassword, passwordProblem } from '../../ui/validation.ts';

const SCHEMA = v.object({ password: newPassword });

/** Joins a team by a mailed key: the invited person chooses a password and is signed in. */
export function AcceptInvitation() {
  const { link } = useMailedLink();
  const accept = useAction('user', 'accept');
  const signIn = usePoolAction('signIn');
  const form = useForm({ initialValues: { password: '' }, schema: SCHEMA, action: accept });
  const { password } = form.values;
  const missing = firstMissing([passwordProblem(password) !== undefined, 'Choose a password of 8 or more characters.']);

  function submit(): void {
    if (link?.to === 'invite') void accept.run({ key: link.key, password }, ({ data }) => void enter(data.emailAddress));
  }

  /** Email and password are known now; should signing in fail all the same, its screen is next. */
  async function enter(email: string): Promise<void> {
    await signIn.run({ email, password });
    clearLink();
  }

  return (
    <CenteredPage below={<TextLink onClick={clearLink}>I have an account already. Sign in</TextLink>}>
      <Form onSubmit={form.onSubmit(submit)}>
        <ViewHeading>Join your team</ViewHeading>
        <Lead>Choose a password. You sign in with it and the address that your invitation came to.</Lead>
        <PasswordField isNew {...form.getInputProps('password')} />
        <Submit missing={missing} isPending={accept.isPending || signIn.isPending} failure={accept.failure}>
          Join
        </Submit>
      </Form>
    </CenteredPage>
  );
}
