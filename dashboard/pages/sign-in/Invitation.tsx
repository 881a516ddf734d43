import { useState } from 'react';
import { useAction } from '../../data/useAction.ts';
import { dropLink, useMailedLink } from '../../session/link.ts';
import { usePoolAction } from '../../session/pool.ts';
import { Form, Lead } from '../../ui/Form.tsx';
import { Heading } from '../../ui/Heading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { Submit } from '../../ui/Submit.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { firstMissing, passwordProblem } from '../../ui/validation.ts';

/** Joins a team by a mailed key: a password of one's own, and in. */
export function Invitation() {
  const link = useMailedLink((kept) => kept.link);
  const [password, setPassword] = useState('');
  const accept = useAction('user', 'accept');
  const signIn = usePoolAction('signIn');
  const missing = firstMissing([passwordProblem(password) !== undefined, 'Choose a password of 8 or more characters.']);

  const submit = () =>
    missing === undefined && link?.to === 'invite' && accept.run({ key: link.key, password }, ({ data }) => void enter(data.emailAddress));

  /** The address is known and so is the password; should signing in fail all the same, its screen is next. */
  async function enter(email: string): Promise<void> {
    await signIn.run({ email, password });
    dropLink();
  }

  return (
    <Panel below={<TextLink onClick={dropLink}>I have an account already. Sign in</TextLink>}>
      <Form onSubmit={() => void submit()}>
        <Heading>Join your team</Heading>
        <Lead>Choose a password. You sign in with it and the address that your invitation came to.</Lead>
        <PasswordField isNew value={password} onValue={setPassword} refused={accept.problemOf('password')} />
        <Notice tone="bad">{accept.failure}</Notice>
        <Submit missing={missing} isBusy={accept.isPending || signIn.isPending}>
          Join
        </Submit>
      </Form>
    </Panel>
  );
}
