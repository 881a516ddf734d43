import * as v from 'valibot';

/** What can be configured of a property, in the order of its tabs. */
export const TABS = ['form', 'share', 'services', 'notifications', 'danger'] as const;
export type Tab = (typeof TABS)[number];
const FIRST = 'form';

const configurationSearch = v.object({
  tab: v.fallback(
    v.optional(
      v.pipe(
        v.picklist(TABS),
        v.check((tab) => tab !== FIRST),
      ),
    ),
    undefined,
  ),
});

/** The configuration's part of the address: its tab, left out where it is the first. */
export interface ConfigurationSearch {
  readonly tab: Tab | undefined;
}

/** Names every key, so that a value that is not understood leaves the address too. */
export const readConfigurationSearch = (raw: Record<string, unknown>): ConfigurationSearch => ({
  tab: v.parse(configurationSearch, raw).tab,
});

export const tabOf = ({ tab }: ConfigurationSearch): Tab => tab ?? FIRST;

interface GuardedAddress {
  readonly pathname: string;
  readonly search: object;
}

/** Whether two addresses show the same tab of the same property, whatever lies over it. */
export const isSameTab = (one: GuardedAddress, other: GuardedAddress): boolean =>
  one.pathname === other.pathname && readConfigurationSearch({ ...one.search }).tab === readConfigurationSearch({ ...other.search }).tab;

/** The address's part for a tab. */
export const searchOf = (tab: Tab): ConfigurationSearch => ({ tab: tab === FIRST ? undefined : tab });
