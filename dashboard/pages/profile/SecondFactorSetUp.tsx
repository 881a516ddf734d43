import { useState } from 'react';
import { usePoolAction } from '../../session/pool.ts';
import { CodeField } from '../../ui/CodeField.tsx';
import { Form } from '../../ui/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Submit } from '../../ui/Submit.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { firstMissing } from '../../ui/validation.ts';
import styles from './Profile.module.css';
import { QrCode } from './QrCode.tsx';

interface SecondFactorSetUpProps {
  readonly secret: string;
  readonly uri: string;
  readonly onDone: () => void;
  readonly onLeave: () => void;
}

const SIX_DIGITS = /^\d{6}$/;

/** The secret, to scan or to type, and a first code that proves the app has it. */
export function SecondFactorSetUp({ secret, uri, onDone, onLeave }: SecondFactorSetUpProps) {
  const [code, setCode] = useState('');
  const finish = usePoolAction('finishTotp');
  const missing = firstMissing([!SIX_DIGITS.test(code), 'Enter the six digits that your app shows now.']);

  return (
    <Form label="Set up two-step sign-in" onSubmit={() => missing === undefined && void finish.run(code, onDone)}>
      <div className={styles['qr']}>
        <QrCode text={uri} label="Code to scan with your authenticator app" />
        <div>
          <p>Scan this with an authenticator app, or type its secret there:</p>
          <code className={styles['secret']}>{secret.match(/.{1,4}/g)?.join(' ')}</code>
        </div>
      </div>
      <CodeField
        label="Code from your app"
        value={code}
        onValue={(typed) => {
          setCode(typed);
          finish.reset();
        }}
      />
      <Notice tone="bad">{finish.failure}</Notice>
      <Submit missing={missing} isBusy={finish.isPending}>
        Switch on
      </Submit>
      <TextLink onClick={onLeave}>Not now</TextLink>
    </Form>
  );
}
