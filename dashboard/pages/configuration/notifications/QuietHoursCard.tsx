import * as v from 'valibot';
import { chosenQuietHours, type QuietHours } from '#contract/alert/alert.ts';
import type { Property } from '#contract/property/property.ts';
import { useAction } from '../../../data/useAction.ts';
import { t } from '../../../language.ts';
import { TextField } from '../../../ui/forms/Fields.tsx';
import { Aside, Form, Submit } from '../../../ui/forms/Form.tsx';
import { UnsavedGuard } from '../../../ui/forms/UnsavedGuard.tsx';
import { useStoredForm } from '../../../ui/forms/useStoredForm.ts';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import { TextLink } from '../../../ui/page/TextLink.tsx';
import { isSameTab } from '../search.ts';
import styles from './NotificationsTab.module.css';
import { quietSentence } from './sentences.ts';

const NONE: QuietHours = { from: '', to: '' };
const SENT_AS = { from: 'alerts.quiet.from', to: 'alerts.quiet.to' };

/** Sets a property's quiet hours, during which alerts wait. */
export function QuietHoursCard({ property }: { property: Property }) {
  const { id, data } = property;
  const save = useAction('property', 'save');
  const stored = data.alerts?.quiet ?? NONE;
  const form = useStoredForm({ stored, schema: chosenQuietHours, action: save, sentAs: SENT_AS });
  const isDirty = form.isDirty();
  const isWhole = v.is(chosenQuietHours, form.values);

  function store(quiet: QuietHours | null): void {
    void save.run({ payload: { id, data: { alerts: { quiet } } } }, () =>
      toast(quiet ? t('Quiet hours saved.') : t('Quiet hours turned off.')),
    );
  }

  return (
    <Card title={t('Quiet hours')} lead={t('Alerts are held until quiet hours end.')}>
      <Form label={t('Quiet hours')} onSubmit={form.onSubmit((quiet) => store(quiet))}>
        <UnsavedGuard isOn={isDirty} isSame={isSameTab} />
        <div className={styles['pair']}>
          <TextField label={t('From')} type="time" {...form.getInputProps('from')} />
          <TextField label={t('To')} type="time" {...form.getInputProps('to')} />
        </div>
        {isWhole && <Aside>{quietSentence(form.values, property)}</Aside>}
        {data.alerts?.quiet && (
          <p>
            <TextLink
              onClick={() => {
                form.reset();
                store(null);
              }}
            >
              {t('Turn off quiet hours')}
            </TextLink>
          </p>
        )}
        <Submit
          missing={isDirty ? (form.values.from && form.values.to ? undefined : t('Enter both times.')) : t('No changes to save.')}
          isPending={save.isPending}
          failure={save.failure}
        >
          {t('Save quiet hours')}
        </Submit>
      </Form>
    </Card>
  );
}
