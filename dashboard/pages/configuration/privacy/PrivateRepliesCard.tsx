import { useState } from 'react';
import type { Property } from '#contract/property/property.ts';
import { useAction } from '../../../data/useAction.ts';
import { t } from '../../../language.ts';
import { Form, Submit } from '../../../ui/forms/Form.tsx';
import { UnsavedGuard } from '../../../ui/forms/UnsavedGuard.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import { Checkbox } from '../../../ui/theme/mantine.ts';
import { isSameTab } from '../search.ts';

/** Sets whether visitors can ask for a private answer. */
export function PrivateRepliesCard({ property: { id, data } }: { property: Property }) {
  const save = useAction('property', 'save');
  /** The unsaved choice. */
  const [chosen, setChosen] = useState<boolean>();
  const stored = data.privateReplies ?? true;
  const value = chosen ?? stored;
  const isDirty = value !== stored;

  function choose(next: boolean): void {
    save.reset();
    setChosen(next);
  }

  function submit(): void {
    void save.run({ payload: { id, data: { privateReplies: value } } }, () => {
      // What was chosen while it was being saved stays.
      setChosen((latest) => (latest === value ? undefined : latest));
      toast(value ? t('Visitors can ask for an answer.') : t('Visitors can no longer ask for an answer.'));
    });
  }

  return (
    <Card
      title={t('Private replies')}
      lead={t('After rating, visitors can ask for an answer on a private page, without leaving an email address.')}
    >
      <Form
        label={t('Private replies')}
        onSubmit={() => {
          if (isDirty) submit();
        }}
      >
        <UnsavedGuard isOn={isDirty} isSame={isSameTab} />
        <Checkbox
          label={t('Let visitors ask for a private answer')}
          description={t(
            'If you turn this off, conversations that have started continue, and visitors can still correct or delete what they wrote.',
          )}
          checked={value}
          onChange={({ currentTarget }) => choose(currentTarget.checked)}
        />
        <Submit missing={isDirty ? undefined : t('No changes to save.')} isPending={save.isPending} failure={save.failure}>
          {t('Save choice')}
        </Submit>
      </Form>
    </Card>
  );
}
