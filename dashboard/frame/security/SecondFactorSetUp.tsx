import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { secondFactorQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { t } from '../../language.ts';
import { usePoolAction } from '../../session/pool.ts';
import { CodeForm } from '../../ui/forms/CodeForm.tsx';
import { Form, Submit } from '../../ui/forms/Form.tsx';
import { useFocusOnStep } from '../../ui/hooks.ts';
import { TextLink } from '../../ui/page/TextLink.tsx';
import { QrCode } from '../../ui/qr/QrCode.tsx';
import { useTeam } from '../team.ts';
import { BackupCodes } from './BackupCodes.tsx';
import { useFreshSignIn } from './FreshSignIn.tsx';
import styles from './SecondFactorSetUp.module.css';

type SetUpStep =
  | { readonly at: 'password' }
  | ({ readonly at: 'scan' } & AppSecret)
  | { readonly at: 'codes'; readonly codes: readonly string[] };

interface AppSecret {
  readonly secret: string;
  readonly uri: string;
}

interface SecondFactorSetUpProps {
  readonly onDone: () => void;
  readonly onLeave: () => void;
}

/** Sets up an authenticator app: the password if the sign-in is old, the secret with a first code, then the backup codes. */
export function SecondFactorSetUp({ onDone, onLeave }: SecondFactorSetUpProps) {
  const [step, setStep] = useState<SetUpStep>({ at: 'password' });
  const forms = useFocusOnStep<HTMLDivElement>(step.at);
  const createCodes = useCreateBackupCodes();

  /** Two-step sign-in is already on. If creating backup codes fails, the profile offers it again. */
  async function finished(): Promise<void> {
    const codes = await createCodes();
    if (codes) setStep({ at: 'codes', codes });
    else onDone();
  }

  return (
    <div ref={forms}>
      {step.at === 'password' && <Begin onSecret={(secret) => setStep({ at: 'scan', ...secret })} onLeave={onLeave} />}
      {step.at === 'scan' && <Scan {...step} onDone={() => void finished()} onLeave={onLeave} />}
      {step.at === 'codes' && <BackupCodes codes={step.codes} onKept={onDone} />}
    </div>
  );
}

/** Returns a function that creates backup codes after the setup; it returns undefined if that fails or the pool has none. */
function useCreateBackupCodes(): () => Promise<readonly string[] | undefined> {
  const { user } = useTeam();
  const { data: status } = useQuery(secondFactorQuery(useSource(), user.id));
  const make = useAction('user', 'makeBackupCodes');
  return async () => {
    let created: readonly string[] | undefined;
    const store = ({ codes }: { readonly codes: readonly string[] }): void => {
      created = codes;
    };
    if (status?.backupCodes !== null) await make.run({}, store);
    return created;
  };
}

interface BeginProps {
  readonly onSecret: (secret: AppSecret) => void;
  readonly onLeave: () => void;
}

function Begin({ onSecret, onLeave }: BeginProps) {
  const { user } = useTeam();
  const begin = usePoolAction('beginTotp');
  const fresh = useFreshSignIn(begin, t('For your safety, enter your password to set up two-step sign-in.'));
  return (
    <Form
      label={t('Set up two-step sign-in')}
      onSubmit={() => {
        if (fresh.missing === undefined) void fresh.run(() => begin.run(user.data.emailAddress, onSecret));
      }}
    >
      <p>{t('You need an authenticator app on your phone: 1Password, Google Authenticator, Microsoft Authenticator or any other.')}</p>
      {fresh.fields}
      <Submit missing={fresh.missing} isPending={fresh.action.isPending} failure={fresh.action.failure}>
        {t('Continue')}
      </Submit>
      <TextLink onClick={onLeave}>{t('Cancel')}</TextLink>
    </Form>
  );
}

interface ScanProps extends AppSecret {
  readonly onDone: () => void;
  readonly onLeave: () => void;
}

/** Shows the secret to scan or type, and asks for a first code to prove that the app has it. */
function Scan({ secret, uri, onDone, onLeave }: ScanProps) {
  const finish = usePoolAction('finishTotp');
  return (
    <CodeForm
      label={t('Set up two-step sign-in')}
      from="app"
      verb={t('Turn on')}
      action={{ ...finish, run: (code) => void finish.run(code, onDone) }}
      below={<TextLink onClick={onLeave}>{t('Cancel')}</TextLink>}
    >
      <div className={styles['qr']}>
        <QrCode text={uri} label={t('Code to scan with your authenticator app')} />
        <div>
          <p>{t('Scan this with an authenticator app, or type its secret there:')}</p>
          <code className={styles['secret']}>{secret.match(/.{1,4}/g)?.join(' ')}</code>
        </div>
      </div>
    </CodeForm>
  );
}
