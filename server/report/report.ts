import { listsOf, type Property, zoneOf } from '#contract/property/property.ts';
import type { ReportSettings } from './store.ts';

/** Returns the settings of a property's reports. */
export const settingsOf = (property: Property): ReportSettings => ({
  id: property.id,
  lists: listsOf(property.data.notifications),
  zone: zoneOf(property),
});
