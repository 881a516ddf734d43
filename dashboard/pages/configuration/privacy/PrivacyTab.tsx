import type { Property } from '#contract/property/property.ts';
import page from '../ConfigurationPage.module.css';
import { PrivacyPageCard } from './PrivacyPageCard.tsx';
import { PrivateRepliesCard } from './PrivateRepliesCard.tsx';
import { RetentionCard } from './RetentionCard.tsx';

/** The form's privacy page, the retention of visitors' words, and whether visitors can ask for an answer. */
export const PrivacyTab = ({ property }: { property: Property }) => (
  <div className={page['cards']}>
    <PrivacyPageCard property={property} />
    <RetentionCard property={property} />
    <PrivateRepliesCard property={property} />
  </div>
);
