import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../language.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Form, Submit } from '../../ui/forms/Form.tsx';
import { Button, Checkbox } from '../../ui/theme/mantine.ts';
import { useTeam } from '../team.ts';
import styles from './BackupCodes.module.css';

interface BackupCodesProps {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}

/** Shows backup codes once, to copy, download or print, until the person confirms that they're saved. */
export function BackupCodes({ codes, onKept }: BackupCodesProps) {
  const { user } = useTeam();
  const [isSaved, setSaved] = useState(false);
  const text = [
    t('Backup codes for Afterword, {email}', { email: user.data.emailAddress }),
    t('Each works once, in place of a code from your app.'),
    '',
    ...codes,
    '',
  ].join('\n');
  return (
    <Form label={t('Backup codes')} onSubmit={() => isSaved && onKept()}>
      <div className={styles['sheet']}>
        <h3>{t('Your backup codes')}</h3>
        <p>
          {t(
            'If you lose your phone, each of these signs you in once. Keep them somewhere other than your phone. They won’t be shown again.',
          )}
        </p>
        <p className={styles['whose']}>Afterword, {user.data.emailAddress}</p>
        <ol>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
      </div>
      <div className={styles['actions']}>
        <CopyButton text={text} of={t('the backup codes')} />
        <Button
          component="a"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="afterword-backup-codes.txt"
        >
          {t('Download')}
        </Button>
        <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => print()}>
          {t('Print')}
        </Button>
      </div>
      <Checkbox label={t('I’ve saved these codes')} checked={isSaved} onChange={({ currentTarget }) => setSaved(currentTarget.checked)} />
      <Submit missing={isSaved ? undefined : t('Confirm that you’ve saved the codes.')} isPending={false} failure={undefined}>
        {t('Done')}
      </Submit>
    </Form>
  );
}
