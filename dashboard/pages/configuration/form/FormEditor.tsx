import { useEffect, useRef, useState } from 'react';
import { MESSAGES } from '#contract/core/schema.ts';
import type { Form as VisitorsForm } from '#contract/form/form.ts';
import type { Property } from '#contract/property/property.ts';
import { useAction } from '../../../data/useAction.ts';
import { EditArea } from '../../../frame/EditArea.tsx';
import { useTeam } from '../../../frame/team.ts';
import { clock } from '../../../ui/format/time.ts';
import { UnsavedGuard } from '../../../ui/forms/UnsavedGuard.tsx';
import { useForm } from '../../../ui/forms/useForm.ts';
import { focusFirstWrong } from '../../../ui/forms/wrong-field.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Button, SegmentedControl } from '../../../ui/theme/mantine.ts';
import { isSameTab } from '../search.ts';
import { draftOf, FORM_DRAFT, type FormDraft, type KeptForm, type PreviewMoment, sentSteps } from './draft.ts';
import styles from './FormEditor.module.css';
import { PreviewFrame } from './PreviewFrame.tsx';
import { StepCards } from './StepCards.tsx';
import { savedByName, Versions } from './Versions.tsx';

interface FormEditorProps {
  readonly property: Property;
  readonly kept: KeptForm;
}

const START: PreviewMoment = { rating: undefined, screen: 'experience' };

/** Edits a form beside a preview of it. What is saved is a new version. */
export function FormEditor({ property, kept }: FormEditorProps) {
  const { account } = useTeam();
  const edited = useEdited(kept);
  const { form, place, submit } = edited;
  const [moment, setMoment] = useState<PreviewMoment>(START);
  const [shows, setShows] = useState<'edit' | 'preview'>('edit');
  const previewed = {
    formId: kept.form.id,
    business: account.data.displayName,
    place: property.data.displayName,
    ...form.values,
  };
  return (
    <form
      ref={place}
      className={styles['editor']}
      data-shows={shows}
      aria-label="Form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <UnsavedGuard isOn={form.isDirty()} isSame={isSameTab} />
      <SegmentedControl
        className={styles['switch'] ?? ''}
        aria-label="View"
        data={[
          { value: 'edit', label: 'Edit' },
          { value: 'preview', label: 'Preview' },
        ]}
        value={shows}
        onChange={(chosen) => setShows(chosen as 'edit' | 'preview')}
      />
      <div className={styles['fields']}>
        <EditArea>
          <StepCards form={form} property={property} onMoment={setMoment} />
        </EditArea>
        <Versions kept={kept} onBringBack={(draft) => form.setValues(draft)} />
        {form.isDirty() && <SaveBar edited={edited} kept={kept} />}
      </div>
      <div className={styles['beside']}>
        <PreviewFrame form={previewed} moment={moment} onMoment={setMoment} />
      </div>
    </form>
  );
}

/** What can be done with what was changed, or why it cannot. */
function SaveBar({ edited: { form, isOld, save, adopt, keepMine }, kept }: { edited: Edited; kept: KeptForm }) {
  const failure = Object.keys(form.errors).length > 0 ? MESSAGES.highlighted : save.failure;
  return (
    <div className={styles['bar']}>
      {/* A conflict is told with what to do about it. */}
      {isOld ? (
        <Overtaken kept={kept} onShow={() => adopt(kept.form)} onKeep={keepMine} />
      ) : (
        <Notice tone="bad">{save.isRefused('conflict') ? undefined : failure}</Notice>
      )}
      <div className={styles['actions']}>
        <span role="status">Not saved yet</span>
        <Button variant="default" onClick={() => (isOld ? adopt(kept.form) : form.reset())}>
          Discard
        </Button>
        <Button type="submit" loading={save.isPending} disabled={isOld}>
          Save form
        </Button>
      </div>
    </div>
  );
}

type Edited = ReturnType<typeof useEdited>;

/** The draft and what it began with. What others save takes its place, unless something was changed here: then it waits to be looked at. */
function useEdited(kept: KeptForm) {
  const save = useAction('form', 'save');
  const form = useForm<FormDraft>({ initialValues: draftOf(kept.form), schema: FORM_DRAFT, action: save });
  /** The version that is being changed. */
  const [base, setBase] = useState(kept.form.data.version);
  const place = useRef<HTMLFormElement>(null);
  const isDirty = form.isDirty();

  function adopt(version: VisitorsForm): void {
    const draft = draftOf(version);
    form.setInitialValues(draft);
    form.setValues(draft);
    form.clearErrors();
    setBase(version.data.version);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another version is adopted
  useEffect(() => {
    if (!isDirty && kept.form.data.version > base) adopt(kept.form);
  }, [kept, isDirty]);

  function submit(): void {
    if (form.validate().hasErrors) {
      // Once the fields say what is wrong.
      requestAnimationFrame(() => focusFirstWrong(place.current));
      return;
    }
    const data = { steps: sentSteps(form.values), inviteToReview: form.values.inviteToReview, basedOn: base };
    void save.run({ payload: { id: kept.form.id, data } }, (answer) => {
      adopt(answer.form);
      toast('Form saved. Visitors see it now.');
    });
  }

  const isOld = isDirty && kept.form.data.version > base;
  return { form, place, isOld, save, submit, adopt, keepMine: () => setBase(kept.form.data.version) };
}

interface OvertakenProps {
  readonly kept: KeptForm;
  readonly onShow: () => void;
  readonly onKeep: () => void;
}

/** Somebody saved another version while this one was being changed. */
function Overtaken({ kept: { form, savedBy }, onShow, onKeep }: OvertakenProps) {
  const { users } = useTeam();
  return (
    <Notice tone="bad">
      <p>
        {savedByName(users, savedBy)} saved another version at {clock(form.data.updated)}. Saving yours would replace it.
      </p>
      <div className={styles['choices']}>
        <Button size="compact-sm" variant="default" onClick={onShow}>
          Show theirs, discard mine
        </Button>
        <Button size="compact-sm" variant="default" onClick={onKeep}>
          Keep mine
        </Button>
      </div>
    </Notice>
  );
}
