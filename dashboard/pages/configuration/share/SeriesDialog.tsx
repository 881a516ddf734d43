import * as v from 'valibot';
import type { Property } from '#contract/property/property.ts';
import { placementSeries, seriesNames } from '#contract/tool/tool.ts';
import { useAction } from '../../../data/useAction.ts';
import { t } from '../../../language.ts';
import { TextField } from '../../../ui/forms/Fields.tsx';
import { Form, Submit } from '../../../ui/forms/Form.tsx';
import { useForm } from '../../../ui/forms/useForm.ts';
import { Dialog } from '../../../ui/layers/Dialog.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import styles from './Placements.module.css';

interface SeriesDialogProps {
  readonly property: Property;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Adds numbered placements: Table 1 to Table 40. */
export const SeriesDialog = ({ property, isOpen, onClose }: SeriesDialogProps) => (
  <Dialog isOpen={isOpen} onClose={onClose} title={t('Add numbered placements')}>
    <SeriesFields property={property} onDone={onClose} />
  </Dialog>
);

const LONGEST_NAME = 36;
const DIGITS = v.pipe(v.string(), v.transform(Number));
/** The series as typed. */
const SCHEMA = v.pipe(v.object({ displayName: v.string(), from: DIGITS, to: DIGITS }), placementSeries);
const start = () => ({ displayName: t.in('placement', 'Table'), from: '1', to: '20' });

function SeriesFields({ property, onDone }: Pick<SeriesDialogProps, 'property'> & { onDone: () => void }) {
  const add = useAction('tool', 'addSeries');
  const sentAs = { displayName: 'series.displayName', from: 'series.from', to: 'series.to' };
  const form = useForm({ initialValues: start(), schema: SCHEMA, action: add, closes: true, sentAs });
  const typed = v.safeParse(SCHEMA, form.values);
  const names = typed.success ? seriesNames(typed.output) : [];

  function submit(values: ReturnType<typeof start>): void {
    void add.run({ propertyId: property.id, series: v.parse(SCHEMA, values) }, ({ tools }) => {
      toast(
        tools.length === 0
          ? t('These placements exist already.')
          : t.count(tools.length, '{count} placement added.', '{count} placements added.'),
      );
      onDone();
    });
  }

  return (
    <Form label={t('Numbered placements')} onSubmit={form.onSubmit(submit)}>
      <TextField label={t('Name')} autoComplete="off" data-autofocus limit={LONGEST_NAME} {...form.getInputProps('displayName')} />
      <div className={styles['series']}>
        <TextField label={t('First number')} inputMode="numeric" autoComplete="off" {...form.getInputProps('from')} />
        <TextField label={t('Last number')} inputMode="numeric" autoComplete="off" {...form.getInputProps('to')} />
      </div>
      <p className={styles['names']} role="status">
        {names.length > 0 &&
          t('{first} to {last}, each with its own code. Existing ones are skipped.', { first: names[0] ?? '', last: names.at(-1) ?? '' })}
      </p>
      <Submit isPending={add.isPending} failure={add.failure}>
        {t('Add placements')}
      </Submit>
    </Form>
  );
}
