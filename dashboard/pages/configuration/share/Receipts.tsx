import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { REF_FIELD } from '#contract/form/form-page.ts';
import type { Property } from '#contract/property/property.ts';
import { useAction } from '../../../data/useAction.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { useFormAddress } from '../../../frame/share/address.ts';
import { t } from '../../../language.ts';
import { paths as site } from '../../../paths.ts';
import { Aside } from '../../../ui/forms/Form.tsx';
import { ConfirmDialog } from '../../../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import { SecretText } from '../../../ui/SecretText.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import styles from './Receipts.module.css';

/** The secret with which a till signs the order numbers in its receipts' links. Showing it is logged. */
export function Receipts({ property: { id: propertyId, data } }: { property: Property }) {
  const addressOf = useFormAddress();
  const [secret, setSecret] = useState<string>();
  const [isAsking, asking] = useLayer('replace-receipt-secret');
  const why = useReadOnly();
  const show = useAction('property', 'receiptSecret');
  const replace = useAction('property', 'replaceReceiptSecret');

  function onReplaced({ secret: created }: { secret: string }): void {
    asking.close();
    setSecret(created);
    toast(t('New secret created.'));
  }

  return (
    <Card
      title={t('Receipts')}
      lead={
        <>
          {t('Your till can print a code with the order’s number on each receipt, so that you see which order an answer is about.')}{' '}
          <Link to={site.guide('form')}>{t('How it works')}</Link>
        </>
      }
    >
      <div className={styles['part']}>
        <p className={styles['address']}>{`${addressOf(data.formId)}?${REF_FIELD}=ORDER.SIGNATURE`}</p>
        <Aside>{t('Your till signs each number with the secret, so that no one can invent one.')}</Aside>
        {secret !== undefined && <SecretText secret={secret} />}
        <div className={styles['buttons']}>
          {secret === undefined && (
            <Button
              variant="default"
              disabled={why !== undefined}
              title={why}
              loading={show.isPending}
              onClick={() => void show.run({ propertyId }, (answer) => setSecret(answer.secret))}
            >
              {t('Show secret')}
            </Button>
          )}
          <Button variant="default" disabled={why !== undefined} title={why} onClick={asking.open}>
            {t('New secret')}
          </Button>
        </div>
        <Notice tone="bad">{show.failure}</Notice>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={t('Create a new secret?')}
        action={{ ...replace, label: t('Create new secret'), run: () => void replace.run({ propertyId }, onReplaced) }}
      >
        {t('The current one stops working. Answers from receipts that were signed with it are still stored, without an order number.')}
      </ConfirmDialog>
    </Card>
  );
}
