import type { Property } from '#contract/property/property.ts';
import page from '../ConfigurationPage.module.css';
import { useStanding } from '../useStanding.ts';
import { DeletePropertyCard } from './DeletePropertyCard.tsx';
import { CloseForm, DeleteForm, NewForm, OpenForm } from './FormCards.tsx';

/** The actions that close or delete, mildest first. */
export function DangerTab({ property }: { property: Property }) {
  const standing = useStanding(property);
  return (
    <div className={page['cards']}>
      {standing === 'open' && <CloseForm property={property} />}
      {standing === 'closed' && <OpenForm property={property} />}
      {standing === 'deleted' && <NewForm property={property} />}
      {(standing === 'open' || standing === 'closed') && <DeleteForm property={property} />}
      <DeletePropertyCard property={property} />
    </div>
  );
}
