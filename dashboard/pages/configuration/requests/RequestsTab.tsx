import type { Property } from '#contract/property/property.ts';
import page from '../ConfigurationPage.module.css';
import { AskCard } from './AskCard.tsx';
import { RequestList } from './RequestList.tsx';
import { RequestSettingsCard } from './RequestSettingsCard.tsx';
import { Suppressions } from './Suppressions.tsx';

/** Asks customers for feedback by email, and shows who was asked. */
export const RequestsTab = ({ property }: { property: Property }) => (
  <div className={page['cards']}>
    <AskCard property={property} />
    <RequestSettingsCard property={property} />
    <RequestList property={property} />
    <Suppressions />
  </div>
);
