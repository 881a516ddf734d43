import { useState } from 'react';
import { SIGN_IN_WORDS } from '#contract/identity.ts';
import { useWork } from '../../data/useWork.ts';
import { useTeam } from '../../frame/data.tsx';
import { identity } from '../../session/session.ts';
import { Form } from '../../ui/Form.tsx';
import { firstMissing, passwordProblem } from '../../ui/fields.ts';
import { Notice } from '../../ui/Notice.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { Submit } from '../../ui/Submit.tsx';
import { toast } from '../../ui/toast.ts';

/** What the pool says of any password that is not right. */
const WRONG = SIGN_IN_WORDS['Incorrect username or password.'];

/** The password of today, and the one from now on. */
export function PasswordPanel({ onDone }: { onDone: () => void }) {
  const { user, isDemo } = useTeam();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const work = useWork();
  const missing = firstMissing(
    [isDemo, 'This is the demo: there is no password to change.'],
    [current === '', 'Enter your current password.'],
    [passwordProblem(next) !== undefined, 'Choose a new password of 8 or more characters.'],
    [current === next, 'The new password has to differ.'],
  );

  async function submit(): Promise<void> {
    if (missing !== undefined) return;
    if (!(await work.run(async () => (await identity()).changePassword(current, next)))) return;
    toast('Your password is changed.');
    onDone();
  }

  return (
    <Form onSubmit={() => void submit()}>
      {/* Tells password managers whose password this is. */}
      <input type="email" name="username" autoComplete="username" value={user.data.emailAddress} readOnly hidden />
      <PasswordField label="Current password" value={current} onValue={setCurrent} />
      <PasswordField label="New password" isNew value={next} onValue={setNext} />
      <Notice tone="bad">{work.failure === WRONG ? 'Your current password is not right.' : work.failure}</Notice>
      <Submit missing={missing} isBusy={work.isBusy}>
        Save password
      </Submit>
    </Form>
  );
}
