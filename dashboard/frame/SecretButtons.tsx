import { type ReactNode, useState } from 'react';
import { t } from '../language.ts';
import type { FormAction } from '../ui/forms/useForm.ts';
import { ConfirmDialog } from '../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../ui/layers/useLayer.ts';
import { Notice } from '../ui/messages/Notice.tsx';
import { toast } from '../ui/messages/Toasts.tsx';
import { SecretText } from '../ui/SecretText.tsx';
import { Button } from '../ui/theme/mantine.ts';
import { useReadOnly } from './plan/read-only.ts';
import styles from './SecretButtons.module.css';

/** An action that answers with a secret. */
interface SecretAction extends Omit<FormAction, 'problemOf'> {
  readonly run: (onDone: (answer: { readonly secret: string }) => void) => void;
}

interface SecretButtonsProps {
  /** The name of the confirmation's layer. */
  readonly layer: string;
  /** Shows the secret. `worksReadOnly` if it can be seen while the account is read-only. */
  readonly reveal: SecretAction & { readonly worksReadOnly: boolean };
  readonly replace: SecretAction & { readonly isHarmless?: boolean };
  /** What happens to the current secret if it is replaced. */
  readonly children: ReactNode;
}

/** Shows a secret, which is logged, or replaces it. */
export function SecretButtons({ layer, reveal, replace, children }: SecretButtonsProps) {
  const [secret, setSecret] = useState<string>();
  const [isAsking, asking] = useLayer(layer);
  const why = useReadOnly();
  const whyNoReveal = reveal.worksReadOnly ? undefined : why;

  function onReplaced({ secret: created }: { readonly secret: string }): void {
    asking.close();
    setSecret(created);
    toast(t('New secret created.'));
  }

  return (
    <>
      {secret !== undefined && <SecretText secret={secret} />}
      <div className={styles['buttons']}>
        {secret === undefined && (
          <Button
            variant="default"
            disabled={whyNoReveal !== undefined}
            title={whyNoReveal}
            loading={reveal.isPending}
            onClick={() => reveal.run((answer) => setSecret(answer.secret))}
          >
            {t('Show secret')}
          </Button>
        )}
        <Button variant="default" disabled={why !== undefined} title={why} onClick={asking.open}>
          {t('New secret')}
        </Button>
      </div>
      <Notice tone="bad">{reveal.failure}</Notice>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={t('Create a new secret?')}
        action={{ ...replace, label: t('Create new secret'), run: () => replace.run(onReplaced) }}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
