import * as v from 'valibot';
import { chosenHours, DEFAULT_HOURS } from '#contract/kiosk/hours.ts';
import { DEFAULT_REPEAT, type Kiosk, kioskPin, kioskThanks, LONGEST_REPEAT, repeatWithin } from '#contract/kiosk/kiosk.ts';
import type { Property } from '#contract/property/property.ts';
import { placementName } from '#contract/tool/tool.ts';
import { useAction } from '../../../data/useAction.ts';
import { t } from '../../../language.ts';
import { day } from '../../../ui/format/time.ts';
import { TextField } from '../../../ui/forms/Fields.tsx';
import { Aside, Form, Submit } from '../../../ui/forms/Form.tsx';
import { useForm } from '../../../ui/forms/useForm.ts';
import { firstMissing, requirement } from '../../../ui/forms/validation.ts';
import { Dialog } from '../../../ui/layers/Dialog.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { editableHours, editedDay, OpeningHoursFields } from './OpeningHoursFields.tsx';

interface KioskDialogProps {
  readonly property: Property;
  /** The kiosk to change; undefined adds one. */
  readonly kiosk?: Kiosk;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Adds a kiosk, or changes one. */
export const KioskDialog = ({ isOpen, onClose, ...rest }: KioskDialogProps) => (
  <Dialog isOpen={isOpen} onClose={onClose} title={rest.kiosk ? t('Edit {name}', { name: rest.kiosk.data.displayName }) : t('Add kiosk')}>
    <KioskFields {...rest} onDone={onClose} />
  </Dialog>
);

const LONGEST_NAME = 40;
const LONGEST_THANKS = 120;
/** An empty text isn't 0. */
const typedNumber = v.pipe(
  v.string(),
  v.transform((typed) => (typed.trim() === '' ? Number.NaN : Number(typed))),
);
const OTHER_FIELDS = {
  displayName: placementName,
  hours: v.pipe(v.tuple([editedDay, editedDay, editedDay, editedDay, editedDay, editedDay, editedDay]), chosenHours),
  thanks: kioskThanks,
  repeatWithin: v.pipe(typedNumber, repeatWithin),
};
const NEW_SCHEMA = v.object({ ...OTHER_FIELDS, pin: kioskPin });
/** An empty PIN keeps the stored one. */
const EDIT_SCHEMA = v.object({ ...OTHER_FIELDS, pin: v.union([v.literal(''), kioskPin], 'Enter 4 to 8 digits') });
type EditedSettings = v.InferOutput<typeof EDIT_SCHEMA>;

function KioskFields({ property, kiosk, onDone }: Pick<KioskDialogProps, 'property' | 'kiosk'> & { onDone: () => void }) {
  const save = useAction('kiosk', 'save');
  const schema = kiosk ? EDIT_SCHEMA : NEW_SCHEMA;
  const form = useForm({ initialValues: initialValues(kiosk), schema, action: save, closes: true });
  const { displayName, pin } = form.values;
  const missing = firstMissing(
    requirement(placementName, displayName, t('Enter a name.')),
    requirement(schema.entries.pin, pin, t('Enter a PIN of 4 to 8 digits.')),
    [kiosk !== undefined && !form.isDirty(), t('No changes to save.')],
  );

  function submit(values: KioskValues): void {
    const settings = v.parse(schema, values);
    const payload = kiosk ? { id: kiosk.id, data: changesOf(settings) } : { data: { propertyId: property.id, ...settings } };
    void save.run({ payload }, ({ kiosk: { data } }) => {
      toast(
        kiosk
          ? t('{name} was changed.', { name: data.displayName })
          : t('{name} was added. Next, pair a tablet.', { name: data.displayName }),
      );
      onDone();
    });
  }

  /** Returns the changed settings, so that a teammate's changes to the others stay. */
  function changesOf(settings: EditedSettings): Partial<EditedSettings> {
    const before: Readonly<Record<string, unknown>> = v.parse(EDIT_SCHEMA, form.getInitialValues());
    return Object.fromEntries(Object.entries(settings).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])));
  }

  return (
    <Form label={t('Kiosk')} onSubmit={form.onSubmit(submit)}>
      <TextField
        label={t('Name')}
        description={t('Where the tablet is. Answers show it.')}
        placeholder={t('Exit')}
        autoComplete="off"
        data-autofocus
        limit={LONGEST_NAME}
        {...form.getInputProps('displayName')}
      />
      <TextField
        label={t('PIN')}
        description={
          kiosk
            ? t('Leave empty to keep the PIN.')
            : t('4 to 8 digits that staff type on the tablet to leave the kiosk. It isn’t shown again.')
        }
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps('pin')}
      />
      <OpeningHoursFields form={form} property={property} />
      <TextField
        label={t('Thank-you text (optional)')}
        description={t('Replaces the form’s thanks on this kiosk, in the form’s own language.')}
        autoComplete="off"
        limit={LONGEST_THANKS}
        {...form.getInputProps('thanks')}
      />
      <TextField
        label={t('Seconds in which taps count once')}
        description={t(
          'From 0 to {most}. Further taps within this time are set aside, so that a playing child doesn’t change your numbers. 0 counts every tap.',
          { most: LONGEST_REPEAT },
        )}
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps('repeatWithin')}
      />
      <Submit missing={missing} isPending={save.isPending} failure={save.failure}>
        {kiosk ? t('Save kiosk') : t('Add kiosk')}
      </Submit>
      {kiosk && <Tablet kiosk={kiosk} />}
    </Form>
  );
}

function initialValues(kiosk: Kiosk | undefined) {
  const { displayName = '', hours = DEFAULT_HOURS, thanks = '', repeatWithin: seconds = DEFAULT_REPEAT } = kiosk?.data ?? {};
  return { displayName, pin: '', hours: editableHours(hours), thanks, repeatWithin: String(seconds) };
}

type KioskValues = ReturnType<typeof initialValues>;

/** When the tablet was paired, and what it runs, for support. */
function Tablet({ kiosk: { data } }: { kiosk: Kiosk }) {
  if (data.paired === undefined) return null;
  return (
    <Aside>
      {data.version === undefined
        ? t('Tablet paired on {date}.', { date: day(data.paired) })
        : t('Tablet paired on {date}, version {version}.', { date: day(data.paired), version: data.version })}
    </Aside>
  );
}
