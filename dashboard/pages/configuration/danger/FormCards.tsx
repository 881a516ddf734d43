import { translatable } from '#contract/language/translate.ts';
import type { Property } from '#contract/property/property.ts';
import { useAction } from '../../../data/useAction.ts';
import { t } from '../../../language.ts';
import { ConfirmDialog } from '../../../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import { Button } from '../../../ui/theme/mantine.ts';

/* Cards to close, reopen, delete and create a form. Each states first what happens to printed codes. */

interface FormCardProps {
  readonly property: Property;
}

const CODES_PAUSE = translatable(
  'Anyone who scans a printed code or opens a link sees that the form is closed. The codes work again as soon as you reopen the form.',
);
const CODES_DIE = translatable(
  'Printed codes and links stop working permanently. A new form for this property gets a different address, so you’d have to print new codes.',
);

export function CloseForm({ property: { data } }: FormCardProps) {
  const [isAsking, asking] = useLayer('close-form');
  const close = useAction('form', 'close');

  function onClosed(): void {
    asking.close();
    toast(t('The form is closed.'));
  }

  return (
    <Card
      title={t('Close form')}
      lead={t(CODES_PAUSE)}
      action={
        <Button variant="default" onClick={asking.open}>
          {t('Close form')}
        </Button>
      }
    >
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={t('Close the form for {property}?', { property: data.displayName })}
        action={{ ...close, label: t('Close form'), isHarmless: true, run: () => void close.run({ formId: data.formId }, onClosed) }}
      >
        {t(CODES_PAUSE)} {t('Pages that are already open stop accepting answers.')}
      </ConfirmDialog>
    </Card>
  );
}

export function OpenForm({ property: { data } }: FormCardProps) {
  const open = useAction('form', 'open');
  return (
    <Card
      title={t('Reopen form')}
      lead={t('Printed codes and links work again immediately.')}
      action={
        <Button
          loading={open.isPending}
          onClick={() => void open.run({ formId: data.formId }, () => toast(t('The form is open. Visitors can answer again.')))}
        >
          {t('Reopen form')}
        </Button>
      }
    >
      <Notice tone="bad">{open.failure}</Notice>
    </Card>
  );
}

export function DeleteForm({ property: { data } }: FormCardProps) {
  const [isAsking, asking] = useLayer('delete-form');
  const remove = useAction('form', 'delete', { allowNotFound: true });

  function onDeleted(): void {
    asking.close();
    toast(t('The form was deleted. Its answers are kept.'));
  }

  return (
    <Card
      title={t('Delete form')}
      tone="danger"
      lead={`${t(CODES_DIE)} ${t('Its answers are kept.')}`}
      action={
        <Button variant="default" c="var(--c-danger-text)" onClick={asking.open}>
          {t('Delete form')}
        </Button>
      }
    >
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={t('Delete the form for {property}?', { property: data.displayName })}
        action={{ ...remove, label: t('Delete form'), run: () => void remove.run({ formId: data.formId }, onDeleted) }}
      >
        {t(CODES_DIE)} {t('Its questions and settings are deleted; its answers stay in your feedback. This can’t be undone.')}
      </ConfirmDialog>
    </Card>
  );
}

/** Creates a form for a property whose form was deleted. */
export function NewForm({ property: { id } }: FormCardProps) {
  const create = useAction('form', 'create');
  return (
    <Card
      title={t('Create a new form')}
      lead={t('It starts with the default questions and gets a new address. Codes printed earlier don’t open it.')}
      action={
        <Button
          loading={create.isPending}
          onClick={() =>
            void create.run({ propertyId: id }, () => toast(t('The new form is open. Print its code or share its link again.')))
          }
        >
          {t('Create a new form')}
        </Button>
      }
    >
      <Notice tone="bad">{create.failure}</Notice>
    </Card>
  );
}
