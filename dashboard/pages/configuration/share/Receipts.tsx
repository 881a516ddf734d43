import { Link } from '@tanstack/react-router';
import { REF_FIELD } from '#contract/form/form-page.ts';
import type { Property } from '#contract/property/property.ts';
import { useAction } from '../../../data/useAction.ts';
import { SecretButtons } from '../../../frame/SecretButtons.tsx';
import { useFormAddress } from '../../../frame/share/address.ts';
import { t } from '../../../language.ts';
import { paths as site } from '../../../paths.ts';
import { Aside } from '../../../ui/forms/Form.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import styles from './Receipts.module.css';

/** The secret with which a till signs the order numbers in its receipts' links. */
export function Receipts({ property: { id: propertyId, data } }: { property: Property }) {
  const addressOf = useFormAddress();
  const show = useAction('property', 'receiptSecret');
  const replace = useAction('property', 'replaceReceiptSecret');
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
        <SecretButtons
          layer="replace-receipt-secret"
          // The first time, the secret is created.
          reveal={{ ...show, worksReadOnly: false, run: (onDone) => void show.run({ propertyId }, onDone) }}
          replace={{ ...replace, run: (onDone) => void replace.run({ propertyId }, onDone) }}
        >
          {t('The current one stops working. Answers from receipts that were signed with it are still stored, without an order number.')}
        </SecretButtons>
      </div>
    </Card>
  );
}
