import { usePoolAction } from '../../session/pool.ts';
import { CodeForm } from '../../ui/CodeForm.tsx';
import { Lead } from '../../ui/Form.tsx';
import { Heading } from '../../ui/Panel.tsx';

/** The six digits of the authenticator app, after the password. */
export function SecondStep() {
  const answer = usePoolAction('answerChallenge');
  return (
    <CodeForm from="app" verb="Continue" action={answer} onCode={(code) => void answer.run(code)}>
      <Heading>Two-step sign-in</Heading>
      <Lead>Open your authenticator app and enter its code for Afterword.</Lead>
    </CodeForm>
  );
}
