import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { MESSAGES } from '#contract/core/schema.ts';
import type { Form as VisitorsForm } from '#contract/form/form.ts';
import type { Property } from '#contract/property/property.ts';
import { brandQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useAction } from '../../../data/useAction.ts';
import { EditArea } from '../../../frame/EditArea.tsx';
import { PreviewFrame } from '../../../frame/preview/PreviewFrame.tsx';
import { START } from '../../../frame/preview/preview-props.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { translatedMessage } from '../../../message.ts';
import { clock } from '../../../ui/format/time.ts';
import { focusFirstInvalid } from '../../../ui/forms/invalid-field.ts';
import { UnsavedGuard } from '../../../ui/forms/UnsavedGuard.tsx';
import { useForm } from '../../../ui/forms/useForm.ts';
import { isSame } from '../../../ui/forms/useStoredForm.ts';
import { useFocusIfLost } from '../../../ui/hooks.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Later, loadedLater } from '../../../ui/page/Later.tsx';
import { Button, SegmentedControl } from '../../../ui/theme/mantine.ts';
import { isSameTab } from '../search.ts';
import { draftOf, FORM_DRAFT, type FormDraft, type StoredForm, sentSteps, sentTranslations } from './draft.ts';
import styles from './FormEditor.module.css';
import { StepCards } from './StepCards.tsx';
import { savedByName, Versions } from './Versions.tsx';

interface FormEditorProps {
  readonly property: Property;
  readonly stored: StoredForm;
}

const LanguageCard = loadedLater(() => import('./LanguageCard.tsx'), 'LanguageCard');

/** Edits a form beside its preview. Each save creates a version. */
export function FormEditor({ property, stored }: FormEditorProps) {
  const { account } = useTeam();
  const editor = useEditor(stored);
  const { form, formRef, submit } = editor;
  const { data: brand } = useQuery(brandQuery(useSource(), account.id));
  const [moment, setMoment] = useState(START);
  const [shows, setShows] = useState<'edit' | 'preview'>('edit');
  const previewed = {
    formId: stored.form.id,
    business: account.data.displayName,
    place: property.data.displayName,
    privateReplies: property.data.privateReplies,
    look: brand?.data,
    ...form.values,
  };

  /** Copies an earlier version into the fields. Changes that it replaces can be brought back. */
  function restore(draft: FormDraft): void {
    const [before, isChanged] = [form.getValues(), form.isDirty()];
    form.setValues(draft);
    if (isChanged) toast(t('Your unsaved changes were replaced.'), { action: { label: t('Undo'), run: () => form.setValues(before) } });
  }

  return (
    <form
      ref={formRef}
      tabIndex={-1}
      className={styles['editor']}
      data-shows={shows}
      aria-label={t('Form')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <UnsavedGuard isOn={form.isDirty()} isSame={isSameTab} />
      <SegmentedControl
        className={styles['switch'] ?? ''}
        aria-label={t('View')}
        data={[
          { value: 'edit', label: t('Edit') },
          { value: 'preview', label: t('Preview') },
        ]}
        value={shows}
        onChange={(chosen) => setShows(chosen as 'edit' | 'preview')}
      />
      <div className={styles['fields']}>
        <EditArea>
          <StepCards form={form} property={property} onMoment={setMoment} />
          <Later>
            <LanguageCard form={form} onMoment={setMoment} />
          </Later>
        </EditArea>
        <Versions stored={stored} onRestore={restore} />
        {form.isDirty() && <SaveBar editor={editor} stored={stored} />}
      </div>
      <div className={styles['beside']}>
        <PreviewFrame form={previewed} moment={moment} onMoment={setMoment} />
      </div>
    </form>
  );
}

/** Discard and save, or the reason that the form cannot be saved. */
function SaveBar({ editor: { form, isOld, save, adopt, keepMine }, stored }: { editor: Editor; stored: StoredForm }) {
  const failure = Object.keys(form.errors).length > 0 ? translatedMessage(MESSAGES.highlighted) : save.failure;
  return (
    <div className={styles['bar']}>
      {/* A conflict has its own message with choices. */}
      {isOld ? (
        <Conflict stored={stored} onShow={() => adopt(stored.form)} onKeep={keepMine} />
      ) : (
        <Notice tone="bad">{save.isRefused('conflict') ? undefined : failure}</Notice>
      )}
      <div className={styles['actions']}>
        <span role="status">{t('Unsaved changes')}</span>
        <Button variant="default" onClick={() => (isOld ? adopt(stored.form) : form.reset())}>
          {t('Discard')}
        </Button>
        <Button type="submit" loading={save.isPending} disabled={isOld}>
          {t('Save form')}
        </Button>
      </div>
    </div>
  );
}

type Editor = ReturnType<typeof useEditor>;

/** Holds the draft. A version saved by a teammate replaces an unchanged draft, and causes a conflict with a changed one. */
function useEditor(stored: StoredForm) {
  const save = useAction('form', 'save');
  const form = useForm<FormDraft>({ initialValues: draftOf(stored.form), schema: FORM_DRAFT, action: save });
  /** The version that the draft is based on. */
  const [base, setBase] = useState(stored.form.data.version);
  const isDirty = form.isDirty();
  const formRef = useFocusIfLost<HTMLFormElement>(isDirty);
  /** While it is pending, the newer version may be the one that is being saved. */
  const isNewer = !save.isPending && stored.form.data.version > base;

  /** Shows a version, unless the draft has changed since it was `sent`. */
  function adopt(version: VisitorsForm, sent = form.getValues()): void {
    const draft = draftOf(version);
    form.setInitialValues(draft);
    setBase(version.data.version);
    if (!isSame(form.getValues(), sent)) return;
    form.setValues(draft);
    form.clearErrors();
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: adopts only a new version
  useEffect(() => {
    if (!isDirty && isNewer) adopt(stored.form);
  }, [isDirty, isNewer]);

  function submit(): void {
    if (form.validate().hasErrors) {
      // Wait until the fields show their errors.
      requestAnimationFrame(() => focusFirstInvalid(formRef.current));
      return;
    }
    const sent = form.values;
    const { inviteToReview, language } = sent;
    const data = { steps: sentSteps(sent), inviteToReview, language, translations: sentTranslations(sent), basedOn: base };
    void save.run({ payload: { id: stored.form.id, data } }, (answer) => {
      adopt(answer.form, sent);
      toast(t('Form saved. Visitors see it now.'));
    });
  }

  return { form, formRef, isOld: isDirty && isNewer, save, submit, adopt, keepMine: () => setBase(stored.form.data.version) };
}

interface ConflictProps {
  readonly stored: StoredForm;
  readonly onShow: () => void;
  readonly onKeep: () => void;
}

/** Offers a choice after a teammate saved another version during editing. */
function Conflict({ stored: { form, savedBy }, onShow, onKeep }: ConflictProps) {
  const { users } = useTeam();
  return (
    <Notice tone="bad">
      <p>
        {t('{name} saved another version at {time}. Saving yours would replace it.', {
          name: savedByName(users, savedBy),
          time: clock(form.data.updated),
        })}
      </p>
      <div className={styles['choices']}>
        <Button size="compact-sm" variant="default" onClick={onShow}>
          {t('Show theirs, discard mine')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onKeep}>
          {t('Keep mine')}
        </Button>
      </div>
    </Notice>
  );
}
