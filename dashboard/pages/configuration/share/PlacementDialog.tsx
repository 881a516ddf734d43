import * as v from 'valibot';
import { translatable } from '#contract/language/translate.ts';
import type { Property } from '#contract/property/property.ts';
import { isStaff, placementName, type Tool } from '#contract/tool/tool.ts';
import { useAction } from '../../../data/useAction.ts';
import { t } from '../../../language.ts';
import { TextField } from '../../../ui/forms/Fields.tsx';
import { Form, Submit } from '../../../ui/forms/Form.tsx';
import { useForm } from '../../../ui/forms/useForm.ts';
import { firstMissing, requirement } from '../../../ui/forms/validation.ts';
import { Dialog } from '../../../ui/layers/Dialog.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';

interface PlacementDialogProps {
  readonly property: Property;
  /** The placement to rename; undefined adds one. */
  readonly tool?: Tool;
  /** The type of a new placement. */
  readonly toolType?: keyof typeof WORDS;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const WORDS = translatable({
  qr: { add: 'Add placement', description: 'Where the code is. It’s printed below the code.', placeholder: 'Table 4' },
  staff: { add: 'Add staff member', description: 'The name on the code. Answers show it.', placeholder: 'Alex' },
});

/** Adds a placement or staff member, or renames one. */
export const PlacementDialog = ({ isOpen, onClose, toolType = 'qr', ...rest }: PlacementDialogProps) => (
  <Dialog
    isOpen={isOpen}
    onClose={onClose}
    title={rest.tool ? t('Rename {name}', { name: rest.tool.data.displayName }) : t(WORDS[toolType].add)}
  >
    <PlacementFields {...rest} toolType={rest.tool && isStaff(rest.tool) ? 'staff' : toolType} onDone={onClose} />
  </Dialog>
);

const LONGEST_NAME = 40;
const SCHEMA = v.object({ displayName: placementName });

interface PlacementFieldsProps extends Pick<PlacementDialogProps, 'property' | 'tool'> {
  readonly toolType: keyof typeof WORDS;
  readonly onDone: () => void;
}

function PlacementFields({ property, tool, toolType, onDone }: PlacementFieldsProps) {
  const { add, description, placeholder } = WORDS[toolType];
  const save = useAction('tool', 'save');
  const form = useForm({ initialValues: { displayName: tool?.data.displayName ?? '' }, schema: SCHEMA, action: save, closes: true });
  const missing = firstMissing(requirement(placementName, form.values.displayName, t('Enter a name.')), [
    tool !== undefined && !form.isDirty(),
    t('No changes to save.'),
  ]);

  function submit({ displayName }: { displayName: string }): void {
    const payload = tool ? { id: tool.id, data: { displayName } } : { data: { propertyId: property.id, displayName, toolType } };
    void save.run(
      { payload },
      ({
        tool: {
          data: { displayName: name },
        },
      }) => {
        toast(tool ? t('Renamed to {name}.', { name }) : t('{name} now has its own code.', { name }));
        onDone();
      },
    );
  }

  return (
    <Form label={t('Placement')} onSubmit={form.onSubmit(submit)}>
      <TextField
        label={t('Name')}
        description={t(description)}
        placeholder={t(placeholder)}
        autoComplete="off"
        data-autofocus
        limit={LONGEST_NAME}
        {...form.getInputProps('displayName')}
      />
      <Submit missing={missing} isPending={save.isPending} failure={save.failure}>
        {tool ? t('Rename') : t(add)}
      </Submit>
    </Form>
  );
}
