import * as v from 'valibot';
import { LONGEST_VIEW_NAME, type SavedView, type Shows, viewName } from '#contract/saved-view/saved-view.ts';
import { useAction } from '../../../data/useAction.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { TextField } from '../../../ui/forms/Fields.tsx';
import { Form, Submit } from '../../../ui/forms/Form.tsx';
import { useForm } from '../../../ui/forms/useForm.ts';
import { firstMissing, requirement } from '../../../ui/forms/validation.ts';
import { Dialog } from '../../../ui/layers/Dialog.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Radio } from '../../../ui/theme/mantine.ts';

interface ViewDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The view to rename or share; undefined creates one. */
  readonly view?: SavedView | undefined;
  /** The feed and filters of a new view. */
  readonly shows?: Shows;
  readonly onSaved?: (view: SavedView) => void;
}

/** Saves the filters as a view, or changes a view's name or readers. */
export const ViewDialog = ({ isOpen, onClose, view, ...rest }: ViewDialogProps) => (
  <Dialog
    isOpen={isOpen}
    onClose={onClose}
    title={view ? t('Rename or share {name}', { name: view.data.displayName }) : t('Save as a view')}
  >
    <ViewFields {...rest} view={view} onDone={onClose} />
  </Dialog>
);

const SCHEMA = v.object({ displayName: viewName, readers: v.picklist(['me', 'team']) });
type ViewValues = { displayName: string; readers: 'me' | 'team' };

function ViewFields({ view, shows, onSaved, onDone }: Omit<ViewDialogProps, 'isOpen' | 'onClose'> & { onDone: () => void }) {
  const { user } = useTeam();
  const save = useAction('savedView', 'save');
  const initialValues: ViewValues = { displayName: view?.data.displayName ?? '', readers: view?.data.isShared ? 'team' : 'me' };
  const form = useForm<ViewValues>({ initialValues, schema: SCHEMA, action: save, closes: true });
  const isSomeoneElses = view !== undefined && view.data.createdBy !== user.id;
  const missing = firstMissing(requirement(viewName, form.values.displayName, t('Enter a name.')), [
    view !== undefined && !form.isDirty(),
    t('No changes to save.'),
  ]);

  function submit({ displayName, readers }: ViewValues): void {
    const isShared = readers === 'team';
    const fields = { displayName, isShared };
    const payload = view ? { id: view.id, data: fields } : shows && { data: { ...fields, shows } };
    if (!payload) return;
    void save.run({ payload }, (saved) => {
      const name = { name: saved.view.data.displayName };
      toast(isShared ? t('{name} was saved for your team.', name) : t('{name} was saved.', name));
      onDone();
      onSaved?.(saved.view);
    });
  }

  return (
    <Form label={t('View')} onSubmit={form.onSubmit(submit)}>
      <TextField
        label={t('Name')}
        placeholder={t('To call back')}
        autoComplete="off"
        data-autofocus
        limit={LONGEST_VIEW_NAME}
        {...form.getInputProps('displayName')}
      />
      <Radio.Group label={t('Visible to')} {...form.getInputProps('readers')}>
        <Radio
          value="me"
          label={t('Only you')}
          description={isSomeoneElses ? t('Only its owner can make it private') : undefined}
          disabled={isSomeoneElses}
          mt={8}
        />
        <Radio value="team" label={t('Your team')} description={t('You and admins can change it')} mt={8} />
      </Radio.Group>
      <Submit missing={missing} isPending={save.isPending} failure={save.failure}>
        {t('Save view')}
      </Submit>
    </Form>
  );
}
