import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BrandLook } from '#contract/brand/look.ts';
import { defaultSteps, IN_ENGLISH } from '#contract/form/steps.ts';
import type { TranslatedForm } from '#contract/language/texts.ts';
import { formVersionQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { PreviewFrame } from '../../frame/preview/PreviewFrame.tsx';
import { type PreviewedForm, START } from '../../frame/preview/preview-props.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { useDelayed } from '../../ui/hooks.ts';
import { Loader } from '../../ui/theme/mantine.ts';

/** The form of the first property with a brand. */
export function BrandPreview({ look }: { look: BrandLook }) {
  const form = usePreviewedForm();
  const [moment, setMoment] = useState(START);
  const isLate = useDelayed(form === undefined);
  if (form) return <PreviewFrame form={{ ...form, look }} moment={moment} onMoment={setMoment} />;
  return isLate ? <Loader size="sm" aria-label={t('Loading the preview')} /> : null;
}

/** Returns the form of the first property, or the default form if there is none; undefined while it loads. */
function usePreviewedForm(): Omit<PreviewedForm, 'look'> | undefined {
  const { account, properties } = useTeam();
  const [property] = properties;
  const { displayName: business } = account.data;
  const { formId = '', displayName: place = business, privateReplies } = property?.data ?? {};
  const { data, isPending } = useQuery({ ...formVersionQuery(useSource(), formId), enabled: property !== undefined });
  if (property && isPending) return undefined;
  const { steps, language, translations, inviteToReview } = data?.form.data ?? defaultForm();
  return { formId, business, place, steps, language, translations, inviteToReview, privateReplies };
}

/** Returns the content of a new form. */
function defaultForm(): TranslatedForm & Pick<PreviewedForm, 'inviteToReview'> {
  let blocks = 0;
  const countBlocks = (): string => {
    blocks += 1;
    return `block-${blocks}`;
  };
  return { ...IN_ENGLISH, steps: defaultSteps([], countBlocks), inviteToReview: 'good' };
}
