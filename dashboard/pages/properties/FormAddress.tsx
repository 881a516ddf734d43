import { IconExternalLink } from '@tabler/icons-react';
import { useTeam } from '../../frame/team.ts';
import { paths } from '../../paths.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Button } from '../../ui/mantine.ts';
import styles from './FormAddress.module.css';

/** Where visitors answer. The demo's forms are nobody's, so there they are only shown. */
export function FormAddress({ formId, of }: { formId: string; of: string }) {
  const { isDemo } = useTeam();
  const address = new URL(paths.form(formId), location.origin);
  return (
    <div className={styles['form']}>
      <p className={styles['address']}>
        <span>Form</span>
        {address.host}
        <wbr />
        {address.pathname}
      </p>
      {isDemo ? (
        <p className={styles['note']}>A form of the demo: not open to visitors</p>
      ) : (
        <div className={styles['ways']}>
          <CopyButton text={address.href} of={`the form’s address of ${of}`} />
          <Button
            component="a"
            href={address.pathname}
            target="_blank"
            rel="noopener"
            variant="default"
            leftSection={<IconExternalLink size={16} aria-hidden />}
          >
            Open
            <span className="visually-hidden"> the form of {of} in a new tab</span>
          </Button>
        </div>
      )}
    </div>
  );
}
