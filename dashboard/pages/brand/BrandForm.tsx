import type { Brand } from '#contract/brand/brand.ts';
import { CORNERS, type Corners } from '#contract/brand/look.ts';
import { translatable } from '#contract/language/translate.ts';
import { useAction } from '../../data/useAction.ts';
import { EditArea } from '../../frame/EditArea.tsx';
import { t } from '../../language.ts';
import { Form, Submit } from '../../ui/forms/Form.tsx';
import { UnsavedGuard } from '../../ui/forms/UnsavedGuard.tsx';
import { useStoredForm } from '../../ui/forms/useStoredForm.ts';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Card } from '../../ui/page/Page.tsx';
import { SegmentedControl } from '../../ui/theme/mantine.ts';
import { AccentCard } from './AccentCard.tsx';
import styles from './Brand.module.css';
import { BrandPreview } from './BrandPreview.tsx';
import { BRAND_DRAFT, changesBetween, draftOf, lookOf } from './brand-draft.ts';
import { LogoCard } from './LogoCard.tsx';

const CORNER_LABELS = translatable({ square: 'Square', soft: 'Soft', round: 'Round' } satisfies Record<Corners, string>);

/** Edits a brand beside its preview. */
export function BrandForm({ stored: { id, data } }: { stored: Brand }) {
  const save = useAction('brand', 'save');
  const stored = draftOf(data);
  const form = useStoredForm({ stored, schema: BRAND_DRAFT, action: save });
  const isDirty = form.isDirty();
  const submit = form.onSubmit((draft) => {
    void save.run({ payload: { id, data: changesBetween(stored, draft) } }, () => toast(t('Brand saved.')));
  });

  return (
    <div className={styles['brand']}>
      <Form label={t('Brand')} onSubmit={submit}>
        <UnsavedGuard isOn={isDirty} isSame={(next, now) => next.pathname === now.pathname} />
        <EditArea>
          <AccentCard form={form} />
          <Card title={t('Corners')} lead={t('The shape of buttons and fields.')}>
            <SegmentedControl
              aria-label={t('Corners')}
              className={styles['corners'] ?? ''}
              data={CORNERS.map((value) => ({ value, label: t(CORNER_LABELS[value]) }))}
              value={form.values.corners}
              // The control's type is any text, but its choices are these.
              onChange={(corners) => form.setFieldValue('corners', corners as Corners)}
            />
          </Card>
          <LogoCard form={form} problem={save.problemOf('logo.picture')} />
          <Submit missing={isDirty ? undefined : t('No changes to save.')} isPending={save.isPending} failure={save.failure}>
            {t('Save brand')}
          </Submit>
        </EditArea>
      </Form>
      <div className={styles['beside']}>
        <BrandPreview look={lookOf(form.values)} />
      </div>
    </div>
  );
}
