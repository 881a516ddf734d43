import type { Property } from '#contract/property/property.ts';
import { useFocusIfLost } from '../../../ui/hooks.ts';
import page from '../ConfigurationPage.module.css';
import { useFormStatus } from '../useFormStatus.ts';
import { DeletePropertyCard } from './DeletePropertyCard.tsx';
import { CloseForm, DeleteForm, NewForm, OpenForm } from './FormCards.tsx';

/** The actions that close or delete, mildest first. */
export function DangerTab({ property }: { property: Property }) {
  const { data: status } = useFormStatus(property);
  const cards = useFocusIfLost<HTMLDivElement>(status);
  return (
    <div ref={cards} tabIndex={-1} className={page['cards']}>
      {status === 'open' && <CloseForm property={property} />}
      {status === 'closed' && <OpenForm property={property} />}
      {status === 'deleted' && <NewForm property={property} />}
      {(status === 'open' || status === 'closed') && <DeleteForm property={property} />}
      <DeletePropertyCard property={property} />
    </div>
  );
}
