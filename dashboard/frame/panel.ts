import * as v from 'valibot';
import { userIdSchema } from '#contract/ids.ts';

export const PANELS = ['profile', 'password', 'user'] as const;
export type PanelName = (typeof PANELS)[number];

const panelSearch = v.object({
  panel: v.optional(v.fallback(v.optional(v.picklist(PANELS)), undefined)),
  user: v.optional(v.fallback(v.optional(userIdSchema), undefined)),
});

/** Which panel an address opens over its page, and about whom. */
export interface PanelSearch {
  readonly panel?: PanelName | undefined;
  readonly user?: string | undefined;
}

/** Names every key, so that what is not understood leaves the address too. */
export function readPanelSearch(raw: Record<string, unknown>): PanelSearch {
  const { panel, user } = v.parse(panelSearch, raw);
  return { panel, user: panel === 'user' ? user : undefined };
}
