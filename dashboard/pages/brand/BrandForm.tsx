import { useEffect, useRef } from 'react';
import type { Brand } from '#contract/brand/brand.ts';
import { CORNERS, type Corners } from '#contract/brand/look.ts';
import { translatable } from '#contract/language/translate.ts';
import { useAction } from '../../data/useAction.ts';
import { EditArea } from '../../frame/EditArea.tsx';
import { t } from '../../language.ts';
import { Form, Submit } from '../../ui/forms/Form.tsx';
import { UnsavedGuard } from '../../ui/forms/UnsavedGuard.tsx';
import { useForm } from '../../ui/forms/useForm.ts';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Card } from '../../ui/page/Page.tsx';
import { SegmentedControl } from '../../ui/theme/mantine.ts';
import { AccentCard } from './AccentCard.tsx';
import styles from './Brand.module.css';
import { BrandPreview } from './BrandPreview.tsx';
import { BRAND_DRAFT, type BrandDraft, changesBetween, draftOf, lookOf, withSaved } from './brand-draft.ts';
import { LogoCard } from './LogoCard.tsx';

const CORNER_LABELS = translatable({ square: 'Square', soft: 'Soft', round: 'Round' } satisfies Record<Corners, string>);

/** Edits a brand beside its preview. */
export function BrandForm({ stored }: { stored: Brand }) {
  const { form, save, submit, isDirty } = useBrandForm(stored);
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

/** Holds the draft, which adopts what a teammate saves. */
function useBrandForm({ id, data }: Brand) {
  const save = useAction('brand', 'save');
  const form = useForm<BrandDraft>({ initialValues: draftOf(data), schema: BRAND_DRAFT, action: save });
  /** The saved brand that the draft is based on. */
  const base = useRef(draftOf(data));

  function adopt(draft: BrandDraft, saved: BrandDraft): void {
    base.current = saved;
    form.setInitialValues(saved);
    form.setValues(draft);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: adopts only a saved brand
  useEffect(() => {
    const saved = draftOf(data);
    if (JSON.stringify(saved) !== JSON.stringify(base.current)) adopt(withSaved(form.values, base.current, saved), saved);
  }, [data]);

  const submit = form.onSubmit(() => {
    const changes = changesBetween(base.current, form.values);
    void save.run({ payload: { id, data: changes } }, ({ brand }) => {
      const saved = draftOf(brand.data);
      adopt(saved, saved);
      toast(t('Brand saved.'));
    });
  });

  return { form, save, submit, isDirty: form.isDirty() };
}
