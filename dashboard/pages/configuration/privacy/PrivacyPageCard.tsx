import { IconExternalLink } from '@tabler/icons-react';
import * as v from 'valibot';
import { MESSAGES } from '#contract/core/schema.ts';
import { privacyPath } from '#contract/form/form-page.ts';
import { privacyContact } from '#contract/privacy/privacy.ts';
import type { Property } from '#contract/property/property.ts';
import { useAction } from '../../../data/useAction.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { TextField } from '../../../ui/forms/Fields.tsx';
import { Form, Submit } from '../../../ui/forms/Form.tsx';
import { UnsavedGuard } from '../../../ui/forms/UnsavedGuard.tsx';
import { useStoredForm } from '../../../ui/forms/useStoredForm.ts';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import { SpokenLabel } from '../../../ui/Rich.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { isSameTab } from '../search.ts';

const SCHEMA = v.object({ privacyContact: v.union([v.literal(''), privacyContact], MESSAGES.email) });

/** Links to the privacy page of a property's form, and sets the address for questions on it. */
export function PrivacyPageCard({ property: { id, data } }: { property: Property }) {
  const save = useAction('property', 'save');
  const { isDemo } = useTeam();
  const stored = { privacyContact: data.privacyContact ?? '' };
  const form = useStoredForm({ stored, schema: SCHEMA, action: save });
  const isDirty = form.isDirty();

  function submit({ privacyContact: typed }: { privacyContact: string }): void {
    void save.run({ payload: { id, data: { privacyContact: typed.trim() || null } } }, ({ property }) => {
      const { privacyContact: saved = '' } = property.data;
      toast(
        saved === '' ? t('Visitors are asked to contact the business.') : t('Visitors are asked to write to {email}.', { email: saved }),
      );
    });
  }

  return (
    <Card
      title={t('Privacy page')}
      lead={t('The form links to a page about what is stored, who reads it and for how long. It follows from the form and these settings.')}
      action={
        !isDemo && (
          <Button
            component="a"
            href={privacyPath(data.formId)}
            target="_blank"
            rel="noopener"
            variant="default"
            rightSection={<IconExternalLink size={16} aria-hidden />}
          >
            <SpokenLabel text={t('Open the privacy page<spoken> in a new tab</spoken>')} />
          </Button>
        )
      }
    >
      <Form label={t('Privacy page')} onSubmit={form.onSubmit(submit)}>
        <UnsavedGuard isOn={isDirty} isSame={isSameTab} />
        <TextField
          label={t('Email address for questions about data')}
          description={t('Shown on the page. Without one, the page asks visitors to contact your business.')}
          type="email"
          autoComplete="off"
          {...form.getInputProps('privacyContact')}
        />
        <Submit missing={isDirty ? undefined : t('No changes to save.')} isPending={save.isPending} failure={save.failure}>
          {t('Save address')}
        </Submit>
      </Form>
    </Card>
  );
}
