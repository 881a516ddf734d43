import { useMemo, useState } from 'react';
import type { NewRequest, SkipReason } from '#contract/feedback-request/feedback-request.ts';
import { DEFAULT_REQUESTS } from '#contract/feedback-request/request-settings.ts';
import { translatable, type Untranslated } from '#contract/language/translate.ts';
import { type Property, zoneOf } from '#contract/property/property.ts';
import { messageOf } from '../../../data/errors.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { formatCount } from '../../../ui/format/number.ts';
import { exactly } from '../../../ui/format/time.ts';
import { useNow } from '../../../ui/hooks.ts';
import { LoadFailed } from '../../../ui/messages/LoadFailed.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { TextLink } from '../../../ui/page/TextLink.tsx';
import { Button, NativeSelect } from '../../../ui/theme/mantine.ts';
import { skipLabel, useAsking, useCanceling, useCheck } from './asking.ts';
import { COLUMN_FIELDS, type ColumnField, type CustomerTable, customerTable, guessFields, MOST_ROWS, readList } from './customer-list.ts';
import styles from './Requests.module.css';

const FIELD_LABELS: Readonly<Record<ColumnField, Untranslated>> = translatable({
  email: 'Email address',
  name: 'Name',
  language: 'Language',
  visited: 'Date of the visit',
  none: 'Not used',
});
/** The rows and problems shown at first. */
const SHOWN = 3;

interface ReviewListProps {
  readonly list: string;
  readonly property: Property;
  readonly onDone: () => void;
}

/** Assigns the columns of a list, shows who is asked and who isn't, and asks them. */
export function ReviewList({ list, property, onDone }: ReviewListProps) {
  const table = useMemo(() => customerTable(list), [list]);
  const [fields, setFields] = useState(() => guessFields(table));
  const [now] = useState(useNow());
  const zone = zoneOf(property);
  const { accepted, problems } = useMemo(() => readList(table, fields, { now, zone }), [table, fields, now, zone]);
  const requests = useMemo(() => [...new Map(accepted.map(({ request }) => [request.email, request])).values()], [accepted]);
  if (table.rows.length > MOST_ROWS)
    return (
      <Notice tone="bad">
        {t('This list has {count} rows. Please split it: at most {most} fit.', { count: table.rows.length, most: MOST_ROWS })}
      </Notice>
    );
  return (
    <div className={styles['review']}>
      {table.columns > 1 && <Columns table={table} fields={fields} onChange={setFields} />}
      {!fields.includes('email') && <Notice tone="bad">{t('Choose the column with the email addresses.')}</Notice>}
      {problems.length > 0 && fields.includes('email') && <Problems problems={problems} firstRow={table.headings ? 2 : 1} />}
      {requests.length === 0 ? (
        fields.includes('email') && <p>{t('No row can be used.')}</p>
      ) : (
        <CheckedList key={JSON.stringify(fields)} {...{ property, requests, onDone }} repeated={accepted.length - requests.length} />
      )}
    </div>
  );
}

interface ColumnsProps {
  readonly table: CustomerTable;
  readonly fields: readonly ColumnField[];
  readonly onChange: (fields: ColumnField[]) => void;
}

/** The columns with their first values. A field belongs to one column. */
function Columns({ table, fields, onChange }: ColumnsProps) {
  const choose = (column: number, field: ColumnField) =>
    onChange(fields.map((other, index) => (index === column ? field : other === field ? 'none' : other)));
  return (
    <section aria-label={t('Columns')}>
      <ul className={styles['columns']}>
        {fields.map((field, column) => {
          const values = table.rows.flatMap((row) => row[column] || []).slice(0, SHOWN);
          const heading = table.headings?.[column] || t('Column {number}', { number: column + 1 });
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its position
            <li key={column}>
              <NativeSelect
                label={heading}
                value={field}
                data={COLUMN_FIELDS.map((each) => ({ value: each, label: t(FIELD_LABELS[each]) }))}
                onChange={({ currentTarget }) => choose(column, currentTarget.value as ColumnField)}
              />
              <p className={styles['quiet']} dir="auto">
                {values.join(' · ') || t('Empty')}
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface ProblemsProps {
  readonly problems: readonly { readonly row: number; readonly message: string }[];
  /** The number of the first customer's row. */
  readonly firstRow: number;
}

function Problems({ problems, firstRow }: ProblemsProps) {
  const [isWhole, setWhole] = useState(false);
  return (
    <Notice tone="warn">
      <p>{t.count(problems.length, '{count} row can’t be used.', '{count} rows can’t be used.')}</p>
      <ul className={styles['problems']}>
        {(isWhole ? problems : problems.slice(0, SHOWN)).map(({ row, message }) => (
          <li key={row} dir="auto">
            {t('Row {number}: {problem}', { number: String(row + firstRow - 1), problem: message })}
          </li>
        ))}
      </ul>
      {!isWhole && problems.length > SHOWN && (
        <TextLink onClick={() => setWhole(true)}>{t('Show all {count}', { count: problems.length })}</TextLink>
      )}
    </Notice>
  );
}

interface CheckedListProps {
  readonly property: Property;
  /** Each address once. */
  readonly requests: readonly NewRequest[];
  /** Rows whose address is in another row too. */
  readonly repeated: number;
  readonly onDone: () => void;
}

/** Says who will be asked and when, and asks them. */
function CheckedList({ property, requests, repeated, onDone }: CheckedListProps) {
  const { isDemo } = useTeam();
  const check = useCheck(property.id, requests);
  const asking = useAsking(property.id, requests);
  const cancel = useCanceling();
  const { gap } = property.data.requests ?? DEFAULT_REQUESTS;

  function confirm(ids: readonly string[], isWhole: boolean): void {
    if (isWhole) onDone();
    const asked = t.count(ids.length, '{count} customer will be asked.', '{count} customers will be asked.');
    if (ids.length === 0 && !isWhole) return;
    toast(isWhole ? asked : `${asked} ${t('The rest of the list wasn’t added.')}`, {
      action: {
        label: t('Undo'),
        run: () =>
          void cancel(ids).then((isDone) =>
            isDone
              ? toast(t('No email is sent.'))
              : toast(t('Some emails couldn’t be canceled. Try again in the list.'), { tone: 'failed' }),
          ),
      },
    });
  }

  if (check.isError) return <LoadFailed onRetry={check.refetch}>{messageOf(check.error)}</LoadFailed>;
  if (!check.data) return <p className={styles['quiet']}>{t('Checking who can be asked…')}</p>;
  const { count, due, skipped } = check.data;
  const reasons: (readonly [SkipReason, number])[] = [...(repeated > 0 ? [['repeated', repeated] as const] : []), ...skipped];
  return (
    <>
      {reasons.length > 0 && (
        <table className={styles['skipped']}>
          <caption>{t('Not asked')}</caption>
          <tbody>
            {reasons.map(([reason, number]) => (
              <tr key={reason}>
                <th scope="row">{skipLabel(reason, gap)}</th>
                <td>{formatCount(number)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p role="status">
        {count === 0 ? t('No one is left to ask.') : askedText(count, due === undefined ? undefined : exactly(due, zoneOf(property)))}
        {isDemo && ` ${t('In this demo, no email is sent.')}`}
      </p>
      <Button size="md" disabled={count === 0} loading={asking.isPending} onClick={() => void asking.run(confirm)}>
        {count === 0 ? t('Ask') : t.count(count, 'Ask {count} customer', 'Ask {count} customers')}
      </Button>
      {asking.isPending && (
        <p role="status" className={styles['quiet']}>
          {t('{done} of {count} checked and added.', { done: asking.done, count: requests.length })}
        </p>
      )}
      <Notice tone="bad">{asking.failure}</Notice>
    </>
  );
}

const askedText = (count: number, first: string | undefined): string =>
  first === undefined
    ? t.count(count, '{count} customer will be asked.', '{count} customers will be asked.')
    : t.count(count, '{count} customer will be asked, the first on {date}.', '{count} customers will be asked, the first on {date}.', {
        date: first,
      });
