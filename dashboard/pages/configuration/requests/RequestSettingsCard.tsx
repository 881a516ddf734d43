import * as v from 'valibot';
import { ADDRESS_MESSAGE, DEFAULT_REQUESTS, postalAddress, type RequestSettings } from '#contract/feedback-request/request-settings.ts';
import type { Property } from '#contract/property/property.ts';
import { useAction } from '../../../data/useAction.ts';
import { t } from '../../../language.ts';
import { TextField } from '../../../ui/forms/Fields.tsx';
import { Form, Submit } from '../../../ui/forms/Form.tsx';
import { numberChoices } from '../../../ui/forms/number-choices.ts';
import { UnsavedGuard } from '../../../ui/forms/UnsavedGuard.tsx';
import { useStoredForm } from '../../../ui/forms/useStoredForm.ts';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import { NativeSelect } from '../../../ui/theme/mantine.ts';
import { isSameTab } from '../search.ts';
import styles from './Requests.module.css';

const NEVER = '';
const DELAYS = [0, 1, 2, 3, 5, 7, 14];
const REMINDERS = [3, 5, 7, 14];
const GAPS = [30, 60, 90, 180, 365];

/** The settings as the fields have them. */
interface SettingsValues {
  delay: string;
  hour: string;
  reminder: string;
  gap: string;
  address: string;
}

const SCHEMA = v.object({ address: v.union([v.literal(''), postalAddress], ADDRESS_MESSAGE) });

const valuesOf = ({ delay, hour, reminder, gap, address = '' }: RequestSettings): SettingsValues => ({
  delay: String(delay),
  hour: String(hour),
  reminder: reminder === undefined ? NEVER : String(reminder),
  gap: String(gap),
  address,
});

/** Sets when customers are asked. */
export function RequestSettingsCard({ property: { id, data } }: { property: Property }) {
  const save = useAction('property', 'save');
  const stored = valuesOf(data.requests ?? DEFAULT_REQUESTS);
  const sentAs = { address: 'payload.data.requests.address' };
  const form = useStoredForm({ stored, schema: SCHEMA, action: save, sentAs });
  const isDirty = form.isDirty();

  function submit({ delay, hour, reminder, gap, address }: SettingsValues): void {
    const requests = {
      ...{ delay: Number(delay), hour: Number(hour), gap: Number(gap) },
      ...(reminder !== NEVER && { reminder: Number(reminder) }),
      ...(address.trim() !== '' && { address: address.trim() }),
    };
    void save.run({ payload: { id, data: { requests } } }, () => toast(t('Settings saved for customers that you add from now on.')));
  }

  return (
    <Card title={t('When customers are asked')} lead={t('For customers that you add from now on.')}>
      <Form label={t('When customers are asked')} onSubmit={form.onSubmit(submit)}>
        <UnsavedGuard isOn={isDirty} isSame={isSameTab} />
        <div className={styles['pair']}>
          <NativeSelect label={t('Day')} data={numberChoices(DELAYS, data.requests?.delay, delayLabel)} {...form.getInputProps('delay')} />
          <NativeSelect
            label={t('Time')}
            description={
              data.timeZone === undefined ? t('UTC, because this property has no time zone') : t('{zone} time', { zone: data.timeZone })
            }
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${String(hour).padStart(2, '0')}:00` }))}
            {...form.getInputProps('hour')}
          />
          <NativeSelect
            label={t('Remind once if there is no answer')}
            data={[
              { value: NEVER, label: t('Never') },
              ...numberChoices(REMINDERS, data.requests?.reminder, (days) => t.count(days, 'After {count} day', 'After {count} days')),
            ]}
            {...form.getInputProps('reminder')}
          />
          <NativeSelect
            label={t('Ask the same address again')}
            data={numberChoices(GAPS, data.requests?.gap, (days) =>
              t.count(days, 'After {count} day at the earliest', 'After {count} days at the earliest'),
            )}
            {...form.getInputProps('gap')}
          />
        </div>
        <TextField
          label={t('Postal address (optional)')}
          description={t('At the end of each email. Some countries require it, such as the United States and Canada.')}
          autoComplete="off"
          {...form.getInputProps('address')}
        />
        <Submit missing={isDirty ? undefined : t('No changes to save.')} isPending={save.isPending} failure={save.failure}>
          {t('Save settings')}
        </Submit>
      </Form>
    </Card>
  );
}

const delayLabel = (days: number): string =>
  days === 0
    ? t('On the day of the visit')
    : days === 1
      ? t('The day after the visit')
      : t.count(days, '{count} day after the visit', '{count} days after the visit');
