import type { Property } from '#contract/property/property.ts';
import page from '../ConfigurationPage.module.css';
import { PrivacyPageCard } from './PrivacyPageCard.tsx';
import { RetentionCard } from './RetentionCard.tsx';

/** What visitors read about their data, and how long it is stored. */
export const PrivacyTab = ({ property }: { property: Property }) => (
  <div className={page['cards']}>
    <PrivacyPageCard key={property.data.privacyContact} property={property} />
    <RetentionCard property={property} />
  </div>
);
