import { useState } from 'react';
import { usePoolAction } from '../../session/pool.ts';
import { CodeField } from '../../ui/CodeField.tsx';
import { Form, Lead } from '../../ui/Form.tsx';
import { Heading } from '../../ui/Heading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Submit } from '../../ui/Submit.tsx';
import { firstMissing } from '../../ui/validation.ts';

const SIX_DIGITS = /^\d{6}$/;

/** The six digits of the authenticator app, after the password. */
export function SecondStep() {
  const [code, setCode] = useState('');
  const answer = usePoolAction('answerChallenge');
  const missing = firstMissing([!SIX_DIGITS.test(code), 'Enter the six digits that your app shows now.']);
  return (
    <Form onSubmit={() => missing === undefined && void answer.run(code)}>
      <Heading>Two-step sign-in</Heading>
      <Lead>Open your authenticator app and enter its code for Afterword.</Lead>
      <CodeField
        label="Code from your app"
        value={code}
        onValue={(typed) => {
          setCode(typed);
          answer.reset();
        }}
      />
      <Notice tone="bad">{answer.failure}</Notice>
      <Submit missing={missing} isBusy={answer.isPending}>
        Continue
      </Submit>
    </Form>
  );
}
