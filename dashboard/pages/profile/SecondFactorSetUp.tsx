import { usePoolAction } from '../../session/pool.ts';
import { CodeForm } from '../../ui/CodeForm.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import styles from './Profile.module.css';
import { QrCode } from './QrCode.tsx';

interface SecondFactorSetUpProps {
  readonly secret: string;
  readonly uri: string;
  readonly onDone: () => void;
  readonly onLeave: () => void;
}

/** The secret, to scan or to type, and a first code that proves the app has it. */
export function SecondFactorSetUp({ secret, uri, onDone, onLeave }: SecondFactorSetUpProps) {
  const finish = usePoolAction('finishTotp');
  return (
    <CodeForm
      label="Set up two-step sign-in"
      from="app"
      verb="Switch on"
      action={finish}
      onCode={(code) => void finish.run(code, onDone)}
      below={<TextLink onClick={onLeave}>Not now</TextLink>}
    >
      <div className={styles['qr']}>
        <QrCode text={uri} label="Code to scan with your authenticator app" />
        <div>
          <p>Scan this with an authenticator app, or type its secret there:</p>
          <code className={styles['secret']}>{secret.match(/.{1,4}/g)?.join(' ')}</code>
        </div>
      </div>
    </CodeForm>
  );
}
