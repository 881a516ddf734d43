import { useState } from 'react';
import * as v from 'valibot';
import { writtenText } from '#contract/core/schema.ts';
import { MAX_TEXT } from '#contract/feedback/rating.ts';
import { LONGEST_REPLY_NAME, replyName, type SavedReply } from '#contract/saved-reply/saved-reply.ts';
import { useAction } from '../../../data/useAction.ts';
import { t } from '../../../language.ts';
import { TextField } from '../../../ui/forms/Fields.tsx';
import { Form, Submit } from '../../../ui/forms/Form.tsx';
import { useForm } from '../../../ui/forms/useForm.ts';
import { firstMissing, requirement } from '../../../ui/forms/validation.ts';
import { Dialog } from '../../../ui/layers/Dialog.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Button, Textarea } from '../../../ui/theme/mantine.ts';
import styles from './SavedRepliesDialog.module.css';
import { useSavedReplies } from './useSavedReplies.ts';

interface SavedRepliesDialogProps {
  /** What is typed in the reply, as the text of a new one. */
  readonly text: string;
  readonly onClose: () => void;
}

/** Lists the saved replies, to change or delete them, with a form for a new one. */
export function SavedRepliesDialog({ text, onClose }: SavedRepliesDialogProps) {
  const { data: replies = [] } = useSavedReplies();
  const [edited, setEdited] = useState<SavedReply>();
  return (
    <Dialog isOpen onClose={onClose} title={t('Saved replies')} size="lg">
      {replies.length > 0 && (
        <ul className={styles['list']}>
          {replies.map((reply) => (
            <SavedReplyRow
              key={reply.id}
              reply={reply}
              onEdit={() => setEdited(reply)}
              onDeleted={() => setEdited((latest) => (latest?.id === reply.id ? undefined : latest))}
            />
          ))}
        </ul>
      )}
      {/* What is typed for a new one stays. */}
      <div hidden={edited !== undefined}>
        <SavedReplyForm reply={undefined} text={text} onDone={() => undefined} />
      </div>
      {edited && <SavedReplyForm key={edited.id} reply={edited} text="" onDone={() => setEdited(undefined)} />}
    </Dialog>
  );
}

interface SavedReplyRowProps {
  readonly reply: SavedReply;
  readonly onEdit: () => void;
  readonly onDeleted: () => void;
}

function SavedReplyRow({ reply: { id, data }, onEdit, onDeleted }: SavedReplyRowProps) {
  const { displayName, text } = data;
  const name = { name: displayName };
  const remove = useAction('savedReply', 'delete', { allowNotFound: true });
  const save = useAction('savedReply', 'save');

  async function restore(): Promise<void> {
    const isRestored = await save.run({ payload: { data: { displayName, text } } });
    if (!isRestored) toast(t('We couldn’t restore {name}.', name), { tone: 'failed' });
  }

  async function removeReply(): Promise<void> {
    const isDeleted = await remove.run({ savedReplyId: id }, onDeleted);
    if (isDeleted) toast(t('{name} was deleted.', name), { action: { label: t('Undo'), run: () => void restore() } });
    else toast(t('We couldn’t delete {name}.', name), { tone: 'failed' });
  }

  return (
    <li className={styles['row']}>
      <div className={styles['words']}>
        <strong dir="auto">{displayName}</strong>
        <p dir="auto">{text}</p>
      </div>
      <Button variant="default" aria-label={t('Edit {name}', name)} onClick={onEdit}>
        {t('Edit')}
      </Button>
      <Button variant="subtle" aria-label={t('Delete {name}', name)} loading={remove.isPending} onClick={() => void removeReply()}>
        {t('Delete')}
      </Button>
    </li>
  );
}

const SCHEMA = v.object({ displayName: replyName, text: writtenText });
/** The names to fill in, which are the same in every language. */
const PLACEHOLDERS = { name: '{name}', property: '{property}' };

interface SavedReplyFormProps {
  /** Undefined creates one. */
  readonly reply: SavedReply | undefined;
  readonly text: string;
  readonly onDone: () => void;
}

function SavedReplyForm({ reply, text, onDone }: SavedReplyFormProps) {
  const save = useAction('savedReply', 'save');
  const initialValues = { displayName: reply?.data.displayName ?? '', text: reply?.data.text ?? text };
  const form = useForm<typeof initialValues>({ initialValues, schema: SCHEMA, action: save, closes: true });
  const missing = firstMissing(
    requirement(replyName, form.values.displayName, t('Enter a name.')),
    requirement(writtenText, form.values.text, t('Enter a text.')),
    [reply !== undefined && !form.isDirty(), t('No changes to save.')],
  );

  const heading = reply ? t('Edit {name}', { name: reply.data.displayName }) : t('New reply');

  function submit(data: typeof initialValues): void {
    void save.run({ payload: { ...(reply && { id: reply.id }), data } }, (saved) => {
      toast(t('{name} was saved.', { name: saved.reply.data.displayName }));
      form.reset();
      onDone();
    });
  }

  return (
    <Form label={heading} onSubmit={form.onSubmit(submit)}>
      <h3 className={styles['heading']}>{heading}</h3>
      <TextField
        label={t('Name')}
        placeholder={t('Sorry, and a coffee')}
        autoComplete="off"
        limit={LONGEST_REPLY_NAME}
        {...form.getInputProps('displayName')}
      />
      <Textarea
        label={t('Text')}
        description={t('{name} becomes the visitor’s name, or nothing. {property} becomes the property’s.', PLACEHOLDERS)}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={MAX_TEXT}
        dir="auto"
        {...form.getInputProps('text')}
      />
      <Submit missing={missing} isPending={save.isPending} failure={save.failure}>
        {t('Save reply')}
      </Submit>
      {reply && (
        <Button variant="subtle" onClick={onDone}>
          {t('Cancel')}
        </Button>
      )}
    </Form>
  );
}
