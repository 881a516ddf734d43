import { useState } from 'react';
import { useSource } from '../../data/source.ts';
import { useWork } from '../../data/useWork.ts';
import { dropLink, useMailedLink } from '../../session/link.ts';
import { signIn } from '../../session/session.ts';
import { Form, Lead } from '../../ui/Form.tsx';
import { firstMissing, passwordProblem } from '../../ui/fields.ts';
import { Heading } from '../../ui/Heading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { Submit } from '../../ui/Submit.tsx';
import { TextLink } from '../../ui/TextLink.tsx';

/** Joins a team by a mailed key: a password of one's own, and in. */
export function Invitation() {
  const link = useMailedLink((kept) => kept.link);
  const source = useSource();
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const work = useWork();
  const missing = firstMissing([passwordProblem(password) !== undefined, 'Choose a password of 8 or more characters.']);

  const submit = () =>
    missing === undefined &&
    work.run(async () => {
      if (link?.to !== 'invite') return;
      setRefusal(undefined);
      const { success, data } = await source.call('user', 'accept', { key: link.key, password });
      if (!success) return setRefusal(data.message);
      // The address is known and so is the password; should signing in fail all the same, its screen is next.
      await signIn(data.emailAddress, password).catch(() => undefined);
      dropLink();
    });

  return (
    <Panel below={<TextLink onClick={dropLink}>I have an account already. Sign in</TextLink>}>
      <Form onSubmit={() => void submit()}>
        <Heading>Join your team</Heading>
        <Lead>Choose a password. You sign in with it and the address that your invitation came to.</Lead>
        <PasswordField isNew value={password} onValue={setPassword} refused={work.problemOf('password')} />
        <Notice tone="bad">{refusal ?? work.failure}</Notice>
        <Submit missing={missing} isBusy={work.isBusy}>
          Join
        </Submit>
      </Form>
    </Panel>
  );
}
