import { useState } from 'react';
import { SIGN_IN_WORDS } from '#contract/identity.ts';
import { useTeam } from '../../frame/data.tsx';
import { usePoolAction } from '../../session/pool.ts';
import { Form } from '../../ui/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { Submit } from '../../ui/Submit.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { firstMissing, passwordProblem } from '../../ui/validation.ts';

/** What the pool says of any password that is not right. */
const WRONG = SIGN_IN_WORDS['Incorrect username or password.'];

/** The password of today, and the one from now on. */
export function PasswordPanel({ onDone }: { onDone: () => void }) {
  const { user, isDemo } = useTeam();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = usePoolAction('changePassword');
  const missing = firstMissing(
    [isDemo, 'This is the demo: there is no password to change.'],
    [current === '', 'Enter your current password.'],
    [passwordProblem(next) !== undefined, 'Choose a new password of 8 or more characters.'],
    [current === next, 'The new password has to differ.'],
  );

  const submit = () =>
    missing === undefined &&
    change.run({ oldPassword: current, newPassword: next }, () => {
      toast('Your password is changed.');
      onDone();
    });

  return (
    <Form onSubmit={() => void submit()}>
      {/* Tells password managers whose password this is. */}
      <input type="email" name="username" autoComplete="username" value={user.data.emailAddress} readOnly hidden />
      <PasswordField label="Current password" value={current} onValue={setCurrent} />
      <PasswordField label="New password" isNew value={next} onValue={setNext} />
      <Notice tone="bad">{change.failure === WRONG ? 'Your current password is not right.' : change.failure}</Notice>
      <Submit missing={missing} isBusy={change.isPending}>
        Save password
      </Submit>
    </Form>
  );
}
