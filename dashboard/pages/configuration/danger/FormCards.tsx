import type { Property } from '#contract/property/property.ts';
import { useAction } from '../../../data/useAction.ts';
import { ConfirmDialog } from '../../../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import { Button } from '../../../ui/theme/mantine.ts';

/* What can be done with a form as a whole. Each says first what it does to codes that are printed. */

interface FormCardProps {
  readonly property: Property;
}

const PRINTED_WAIT =
  'Whoever scans a printed code or follows a link reads that the form is no longer open. The codes stay good: they work again as soon as you open the form.';
const PRINTED_DIE =
  'Printed codes and links stop working for good. A new form for this property has another address, so you would have to print new codes.';

export function CloseForm({ property: { data } }: FormCardProps) {
  const [isAsking, asking] = useLayer('close-form');
  const close = useAction('form', 'close');

  function closed(): void {
    asking.close();
    toast('The form is closed.');
  }

  return (
    <Card
      title="Close form"
      lead={PRINTED_WAIT}
      action={
        <Button variant="default" onClick={asking.open}>
          Close form
        </Button>
      }
    >
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={`Close the form of ${data.displayName}?`}
        verb="Close form"
        isHarmless
        action={close}
        onConfirm={() => void close.run({ formId: data.formId }, closed)}
      >
        {PRINTED_WAIT} A page that is open meanwhile takes no more answers.
      </ConfirmDialog>
    </Card>
  );
}

export function OpenForm({ property: { data } }: FormCardProps) {
  const open = useAction('form', 'open');
  return (
    <Card
      title="Open form again"
      lead="Printed codes and links lead to it again, at once."
      action={
        <Button
          loading={open.isPending}
          onClick={() => void open.run({ formId: data.formId }, () => toast('The form is open. Visitors can answer again.'))}
        >
          Open form
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

  function deleted(): void {
    asking.close();
    toast('The form was deleted. Its answers stay.');
  }

  return (
    <Card
      title="Delete form"
      tone="danger"
      lead={`${PRINTED_DIE} Its answers stay.`}
      action={
        <Button variant="default" c="var(--c-danger-text)" onClick={asking.open}>
          Delete form
        </Button>
      }
    >
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={`Delete the form of ${data.displayName}?`}
        verb="Delete form"
        action={remove}
        onConfirm={() => void remove.run({ formId: data.formId }, deleted)}
      >
        {PRINTED_DIE} Its words and settings are gone; its answers stay in your feedback. This cannot be undone.
      </ConfirmDialog>
    </Card>
  );
}

/** For a property whose form was deleted. */
export function NewForm({ property: { id } }: FormCardProps) {
  const create = useAction('form', 'create');
  return (
    <Card
      title="Make a new form"
      lead="It starts with the usual questions and has an address of its own. Codes that were printed before do not lead to it."
      action={
        <Button
          loading={create.isPending}
          onClick={() => void create.run({ propertyId: id }, () => toast('The new form is open. Print or share its link anew.'))}
        >
          Make a new form
        </Button>
      }
    >
      <Notice tone="bad">{create.failure}</Notice>
    </Card>
  );
}
