import * as v from 'valibot';

/** The tabs, in order. */
export const TABS = ['form', 'share', 'requests', 'services', 'notifications', 'privacy', 'danger'] as const;
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

/** The configuration's part of the address: its tab, omitted for the first. */
interface ConfigurationSearch {
  readonly tab: Tab | undefined;
}

/** Parses the address. The result has every key, so that the router removes invalid values from the address. */
export const readConfigurationSearch = (raw: Record<string, unknown>): ConfigurationSearch => ({
  tab: v.parse(configurationSearch, raw).tab,
});

export const tabOf = ({ tab }: ConfigurationSearch): Tab => tab ?? FIRST;

interface GuardedAddress {
  readonly pathname: string;
  readonly search: object;
}

/** Returns true if two addresses show the same tab of the same property, whatever is open on top. */
export const isSameTab = (a: GuardedAddress, b: GuardedAddress): boolean =>
  a.pathname === b.pathname && readConfigurationSearch({ ...a.search }).tab === readConfigurationSearch({ ...b.search }).tab;

/** Returns the search part of a tab's address. */
export const searchOf = (tab: Tab): ConfigurationSearch => ({ tab: tab === FIRST ? undefined : tab });
