import { listsOf, type Property, zoneOf } from '#contract/property/property.ts';
import type { ReportSettings } from './store.ts';

/** What the reports of a property go by. */
export const settingsOf = (property: Property): ReportSettings => ({
  id: property.id,
  lists: listsOf(property.data.notifications),
  zone: zoneOf(property),
});
