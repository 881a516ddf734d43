import { useState } from 'react';
import { useAction } from '../../data/useAction.ts';
import { clearLink, useMailedLink } from '../../session/link.ts';
import { CenteredPage, FormResult, ViewHeading } from '../../ui/CenteredPage.tsx';
import { Form, Lead, Submit } from '../../ui/Form.tsx';
import { TextLink } from '../../ui/TextLink.tsx';

/** Locks an account by the link from a mail about it: with a button, for mail programs open links too. */
export function NotMe() {
  const { link } = useMailedLink();
  return link?.to === 'not-me' && <Lock key={link.key} by={link.key} />;
}

function Lock({ by }: { by: string }) {
  const [outcome, setOutcome] = useState<'locked' | 'over'>();
  const lock = useAction('user', 'lock', { allowNotFound: true });

  function submit(): void {
    // Not found travels as an answer: the link was used before, or is over.
    void lock.run({ key: by }, ({ status }: { status: string }) => setOutcome(status === 'ok' ? 'locked' : 'over'));
  }

  return (
    <CenteredPage below={<TextLink onClick={clearLink}>Go to the sign-in</TextLink>}>
      {outcome === undefined && (
        <Form onSubmit={submit}>
          <ViewHeading>Lock your account?</ViewHeading>
          <Lead>
            If you didn’t make the change that the mail tells of, lock your account. Everybody is signed out, also you, and the password no
            longer works. You set a new one by mail.
          </Lead>
          <Submit isPending={lock.isPending} failure={lock.failure}>
            Lock my account
          </Submit>
        </Form>
      )}
      {outcome === 'locked' && (
        <FormResult title="Your account is locked">
          Everybody is signed out. Now choose “Forgot password” at the sign-in: the code for a new one goes to the address that had the
          mail.
        </FormResult>
      )}
      {outcome === 'over' && (
        <FormResult title="This link is no longer valid">
          It was used, it is more than seven days old, or your account was locked by an earlier mail.
        </FormResult>
      )}
    </CenteredPage>
  );
}
