import { useId } from 'react';
import * as v from 'valibot';
import { type OpeningHours, WEEKDAYS } from '#contract/kiosk/hours.ts';
import type { Property } from '#contract/property/property.ts';
import { t } from '../../../language.ts';
import { weekdays } from '../../../ui/format/time.ts';
import choices from '../../../ui/forms/Choices.module.css';
import type { FormOf } from '../../../ui/forms/useForm.ts';
import { TextLink } from '../../../ui/page/TextLink.tsx';
import { Checkbox, Input } from '../../../ui/theme/mantine.ts';
import { clockOf } from '../notifications/sentences.ts';
import styles from './Kiosks.module.css';

/** A day as edited. A closed day keeps its times until the form is closed. */
interface EditedDay {
  readonly isOpen: boolean;
  readonly from: string;
  readonly to: string;
}

/** Returns a day's hours; null if it's closed. */
export const editedDay = v.pipe(
  v.object({ isOpen: v.boolean(), from: v.string(), to: v.string() }),
  v.transform(({ isOpen, from, to }) => (isOpen ? { from, to } : null)),
);

const USUAL = { from: '09:00', to: '18:00' };

export const editableHours = (hours: OpeningHours): EditedDay[] => hours.map((day) => ({ isOpen: day !== null, ...(day ?? USUAL) }));

interface OpeningHoursFieldsProps {
  /** May have other values too. */
  readonly form: Pick<FormOf<{ hours: EditedDay[] }>, 'getInputProps' | 'setFieldValue' | 'values'>;
  readonly property: Property;
}

/** A checkbox and two times for each day of the week. */
export function OpeningHoursFields({ form, property }: OpeningHoursFieldsProps) {
  const { hours } = form.values;
  const [monday] = hours;
  const canCopy = monday?.isOpen && hours.some((day) => !isSame(day, monday));
  return (
    <fieldset className={choices['group']}>
      <legend>{t('Opening hours')}</legend>
      <p className={choices['hint']}>
        {t('In {clock}.', { clock: clockOf(property) })}{' '}
        {t('The people who get complaints are notified if the tablet is silent for 15 minutes in these hours.')}
      </p>
      <div className={styles['week']}>
        {WEEKDAYS.map((day) => t(day)).map((name, index) => (
          <DayFields key={name} name={name} index={index} form={form} />
        ))}
      </div>
      {canCopy && (
        <div>
          <TextLink
            onClick={() =>
              form.setFieldValue(
                'hours',
                hours.map(() => monday),
              )
            }
          >
            {t('Use Monday’s hours every day')}
          </TextLink>
        </div>
      )}
    </fieldset>
  );
}

const isSame = (a: EditedDay, b: EditedDay): boolean => a.isOpen === b.isOpen && a.from === b.from && a.to === b.to;

interface DayFieldsProps extends Pick<OpeningHoursFieldsProps, 'form'> {
  readonly name: string;
  readonly index: number;
}

function DayFields({ name, index, form }: DayFieldsProps) {
  const problemId = useId();
  const [from, to] = [form.getInputProps(`hours.${index}.from`), form.getInputProps(`hours.${index}.to`)];
  const problem = from.error ?? to.error;
  return (
    <div className={styles['day']}>
      <Checkbox label={<DayName index={index}>{name}</DayName>} {...form.getInputProps(`hours.${index}.isOpen`, { type: 'checkbox' })} />
      {form.values.hours[index]?.isOpen ? (
        <>
          <Input
            className={styles['time'] ?? ''}
            type="time"
            aria-label={t('{day}, from', { day: name })}
            aria-errormessage={problemId}
            {...from}
          />
          <Input
            className={styles['time'] ?? ''}
            type="time"
            aria-label={t('{day}, to', { day: name })}
            aria-errormessage={problemId}
            {...to}
          />
          {problem && (
            <p id={problemId} role="alert" className={styles['problem']}>
              {problem}
            </p>
          )}
        </>
      ) : (
        <span className={styles['closed']}>{t('Closed')}</span>
      )}
    </div>
  );
}

/** A day's name, of which a phone shows the usual first letters. */
function DayName({ index, children }: { index: number; children: string }) {
  const short = weekdays('short')[index] ?? '';
  const { length } = children.startsWith(short) ? short : children;
  return (
    <>
      {children.slice(0, length)}
      <span className={styles['rest']}>{children.slice(length)}</span>
    </>
  );
}
