import { useParams } from '@tanstack/react-router';
import { isNamed } from '#contract/property.ts';
import { useTeam } from '../../frame/data.tsx';
import { NotAvailable } from '../../frame/NotAvailable.tsx';
import { FeedPage } from './FeedPage.tsx';

/* The three feeds. Each starts anew: rows of one never stand under the heading of another. */

export const AllFeedback = () => <FeedPage key="account" scope={{ of: 'account' }} title="All feedback" />;

export const UrgentFeedback = () => <FeedPage key="urgent" scope={{ of: 'urgent' }} title="Urgent" />;

/** A property is named by its id or by its name, dashed and lowercase (PRODUCT §2). */
export function PropertyFeedback() {
  const { properties } = useTeam();
  const { propertyId = '' } = useParams({ strict: false });
  const property = properties.find((each) => isNamed(propertyId, each));
  if (!property) return <NotAvailable />;
  return <FeedPage key={property.id} scope={{ of: 'property', property }} title={property.data.displayName} />;
}
