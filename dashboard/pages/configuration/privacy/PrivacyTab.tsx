import type { Property } from '#contract/property/property.ts';
import page from '../ConfigurationPage.module.css';
import { PrivacyPageCard } from './PrivacyPageCard.tsx';
import { RetentionCard } from './RetentionCard.tsx';

/** The form's privacy page, and the retention of visitors' words. */
export const PrivacyTab = ({ property }: { property: Property }) => (
  <div className={page['cards']}>
    <PrivacyPageCard property={property} />
    <RetentionCard property={property} />
  </div>
);
