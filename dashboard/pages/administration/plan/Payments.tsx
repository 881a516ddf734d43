import { useQuery } from '@tanstack/react-query';
import type { Payment } from '#contract/billing/subscription.ts';
import { translatable } from '#contract/language/translate.ts';
import { messageOf } from '../../../data/errors.ts';
import { paymentsQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useAction } from '../../../data/useAction.ts';
import { t } from '../../../language.ts';
import { moneyInWords } from '../../../ui/format/money.ts';
import { day, exactly } from '../../../ui/format/time.ts';
import { Aside } from '../../../ui/forms/Form.tsx';
import { useDelayed } from '../../../ui/hooks.ts';
import { LoadFailed } from '../../../ui/messages/LoadFailed.tsx';
import { LoadingRow } from '../../../ui/page/LoadingRow.tsx';
import rowStyles from '../../../ui/page/Rows.module.css';
import { NewTabButton } from './NewTabButton.tsx';
import styles from './PlanPanel.module.css';
import { useNewTab } from './useNewTab.ts';

/** The account's payments, newest first, each with its invoice. */
export function Payments() {
  const { data: payments, error, isFetching, refetch } = useQuery(paymentsQuery(useSource()));
  const isSlow = useDelayed(payments === undefined && isFetching);
  return (
    <section className={styles['part']} aria-labelledby="payments" aria-busy={payments === undefined && isFetching}>
      <h3 id="payments">{t('Payments')}</h3>
      {payments === undefined && isSlow && (
        <div className={styles['payments']}>
          <LoadingRow />
        </div>
      )}
      {error && !isFetching && (
        <LoadFailed onRetry={refetch}>
          {t('We couldn’t load the payments.')} {messageOf(error)}
        </LoadFailed>
      )}
      {payments?.length === 0 && <Aside>{t('No payments yet.')}</Aside>}
      {payments && payments.length > 0 && (
        <ul className={styles['payments']} aria-label={t('Payments')}>
          {payments.map((payment) => (
            <li key={payment.id}>
              <PaymentRow payment={payment} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type Status = Payment['status'];

const LABELS = translatable({
  paid: 'Paid',
  due: 'Due',
  'partly-refunded': 'Partly refunded',
  refunded: 'Refunded',
} satisfies Record<Status, string>);
const TONES: Readonly<Record<Status, string>> = { paid: 'ok', due: 'bad', 'partly-refunded': 'warn', refunded: 'warn' };

function PaymentRow({ payment: { id, at, total, status, invoiceNumber, card, hasInvoice } }: { payment: Payment }) {
  const tab = useNewTab(useAction('account', 'invoice'));
  return (
    <article className={styles['payment']} aria-label={`${moneyInWords(total)}, ${day(at)}`}>
      <p>
        <strong>{moneyInWords(total)}</strong>
        <span className={rowStyles['badge']} data-tone={TONES[status]}>
          {t(LABELS[status])}
        </span>
      </p>
      <p className={styles['quiet']}>
        <time dateTime={new Date(at).toISOString()} title={exactly(at)}>
          {day(at)}
        </time>
        {card !== undefined && (
          <span>
            <span aria-hidden>•••• {card}</span>
            <span className="visually-hidden">{t('Card ending in {card}', { card })}</span>
          </span>
        )}
        {invoiceNumber !== undefined && <span>{invoiceNumber}</span>}
      </p>
      {hasInvoice && (
        <NewTabButton
          tab={tab}
          name={t('Invoice: {invoice}, in a new tab', { invoice: invoiceNumber ?? day(at) })}
          size="compact-sm"
          onOpen={() => tab.open({ transactionId: id })}
        >
          {t('Invoice')}
        </NewTabButton>
      )}
    </article>
  );
}
