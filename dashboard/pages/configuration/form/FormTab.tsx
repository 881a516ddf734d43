import { useQuery } from '@tanstack/react-query';
import type { Property } from '#contract/property/property.ts';
import { formVersionQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { t } from '../../../language.ts';
import { useDelayed } from '../../../ui/hooks.ts';
import { NotLoaded } from '../../../ui/messages/EmptyState.tsx';
import { Loader } from '../../../ui/theme/mantine.ts';
import { FormEditor } from './FormEditor.tsx';

/** The form editor. A deleted form has nothing to edit. */
export function FormTab({ property }: { property: Property }) {
  const { data: stored, isError, isPending, refetch } = useQuery(formVersionQuery(useSource(), property.data.formId));
  const isLate = useDelayed(isPending);
  if (stored?.standing === 'deleted') return null;
  if (stored) return <FormEditor key={stored.form.id} property={property} stored={stored} />;
  if (!isError) return isLate ? <Loader size="sm" aria-label={t('Loading the form')} /> : null;
  return <NotLoaded title={t('We couldn’t load the form.')} onRetry={refetch} />;
}
