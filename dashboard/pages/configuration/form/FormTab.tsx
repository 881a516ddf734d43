import { useQuery } from '@tanstack/react-query';
import type { Property } from '#contract/property/property.ts';
import { formVersionQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useDelayed } from '../../../ui/hooks.ts';
import { EmptyState } from '../../../ui/messages/EmptyState.tsx';
import { Button, Loader } from '../../../ui/theme/mantine.ts';
import { FormEditor } from './FormEditor.tsx';

/** What the form of a property says and asks, to change it. Of a form that was deleted there is nothing to change. */
export function FormTab({ property }: { property: Property }) {
  const { data: kept, isError, isPending, refetch } = useQuery(formVersionQuery(useSource(), property.data.formId));
  const isLate = useDelayed(isPending);
  if (kept?.standing === 'deleted') return null;
  if (kept) return <FormEditor key={kept.form.id} property={property} kept={kept} />;
  if (!isError) return isLate ? <Loader size="sm" aria-label="Loading the form" /> : null;
  return <EmptyState role="alert" title="We couldn’t load the form." action={<Button onClick={() => void refetch()}>Try again</Button>} />;
}
