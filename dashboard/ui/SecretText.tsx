import { t } from '../language.ts';
import { CopyButton } from './CopyButton.tsx';
import styles from './SecretText.module.css';

/** A secret, to copy. */
export const SecretText = ({ secret }: { secret: string }) => (
  <>
    <code className={styles['secret']}>{secret}</code>
    <div>
      <CopyButton text={secret} of={t('secret')} />
    </div>
  </>
);
