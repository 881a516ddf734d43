import { useState } from 'react';
import { MOST_RESULTS } from '#contract/feedback/filters.ts';
import type { Property } from '#contract/property/property.ts';
import { useAction } from '../../../data/useAction.ts';
import { t } from '../../../language.ts';
import { Form, Submit } from '../../../ui/forms/Form.tsx';
import { numberChoices } from '../../../ui/forms/number-choices.ts';
import { UnsavedGuard } from '../../../ui/forms/UnsavedGuard.tsx';
import { ConfirmDialog } from '../../../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import { NativeSelect } from '../../../ui/theme/mantine.ts';
import { isSameTab } from '../search.ts';

/** The choices, in months. */
const PERIODS = [3, 6, 12, 24, 36];
const UNLIMITED = '';

/** Sets how long a property stores visitors' words and contact details. A shorter period is confirmed first. */
export function RetentionCard({ property: { id, data } }: { property: Property }) {
  const preview = useAction('privacy', 'previewRetention');
  const save = useAction('property', 'save');
  const [isAsking, asking] = useLayer('retention');
  /** The period to confirm, and how many answers it deletes. */
  const [asked, setAsked] = useState<{ readonly months: number; readonly count: number }>();
  /** The unsaved choice. */
  const [chosen, setChosen] = useState<string>();
  const stored = data.retention;
  const storedValue = stored === undefined ? UNLIMITED : String(stored);
  const value = chosen ?? storedValue;
  const months = Number(value);
  const isDirty = value !== storedValue;

  function choose(next: string): void {
    preview.reset();
    save.reset();
    setChosen(next);
  }

  function submit(): void {
    if (value === UNLIMITED) store(null);
    else if (stored !== undefined && months > stored) store(months);
    else
      void preview.run({ propertyId: id, months }, ({ count }) => {
        setAsked({ months, count });
        asking.open();
      });
  }

  function store(retention: number | null): void {
    void save.run({ payload: { id, data: { retention } } }, () => {
      asking.close();
      // What was chosen while it was being saved stays.
      setChosen((latest) => (latest === String(retention ?? UNLIMITED) ? undefined : latest));
      toast(
        retention === null
          ? t('Words are no longer deleted.')
          : t.count(retention, 'Words are deleted after {count} month.', 'Words are deleted after {count} months.'),
      );
    });
  }

  return (
    <Card
      title={t('Data retention')}
      lead={t('Limits how long words, contact details and private messages are stored. Ratings stay in the numbers.')}
    >
      <Form
        label={t('Data retention')}
        onSubmit={() => {
          if (isDirty) submit();
        }}
      >
        <UnsavedGuard isOn={isDirty} isSame={isSameTab} />
        <NativeSelect
          label={t('Delete words and contact details')}
          value={value}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          data={[{ value: UNLIMITED, label: t('Never') }, ...numberChoices(PERIODS, stored, labelOf)]}
        />
        <Submit
          missing={isDirty ? undefined : t('No changes to save.')}
          isPending={preview.isPending || save.isPending}
          failure={preview.failure ?? (isAsking ? undefined : save.failure)}
        >
          {t('Save period')}
        </Submit>
      </Form>
      {asked && (
        <ConfirmDialog
          isOpen={isAsking}
          onClose={asking.close}
          title={t.count(asked.months, 'Delete words after {count} month?', 'Delete words after {count} months?')}
          action={{ ...save, label: t('Save period'), isHarmless: asked.count === 0, run: () => store(asked.months) }}
        >
          {lossOf(asked)}
        </ConfirmDialog>
      )}
    </Card>
  );
}

const labelOf = (months: number): string => t.count(months, 'After {count} month', 'After {count} months');

/** Returns what saving the period deletes. */
function lossOf({ count, months }: { readonly count: number; readonly months: number }): string {
  if (count === 0)
    return t.count(
      months,
      'No answer is that old yet. From now on, words and contact details are deleted after {count} month.',
      'No answer is that old yet. From now on, words and contact details are deleted after {count} months.',
    );
  const loss =
    count > MOST_RESULTS
      ? t('Saving deletes the words and contact details of more than {count} answers, starting within an hour.', { count: MOST_RESULTS })
      : t.count(
          count,
          'Saving deletes the words and contact details of {count} answer, starting within an hour.',
          'Saving deletes the words and contact details of {count} answers, starting within an hour.',
        );
  return `${loss} ${t('Their ratings stay in the numbers. This can’t be undone.')}`;
}
