import { useNavigate, useRouter, useRouterState, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
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

/** Names every key, so that a value that is not understood leaves the address too. */
export function readPanelSearch(raw: Record<string, unknown>): PanelSearch {
  const { panel, user } = v.parse(panelSearch, raw);
  return { panel, user: panel === 'user' ? user : undefined };
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The id of what opened the panel: going back leads to the page below, and the focus returns there. */
    panelOpener?: string;
  }
}

interface OpenPanel {
  readonly user?: string;
  /** The id of the element that the focus returns to. */
  readonly opener: string;
}

interface UsePanel extends PanelSearch {
  readonly opener: string | undefined;
  open(panel: PanelName, options: OpenPanel): void;
  close(): void;
}

/** The panel that lies over the page, kept in the address: Back closes it, and a link can open it. */
export function usePanel(): UsePanel {
  const search = readPanelSearch(useSearch({ strict: false }));
  const opener = useRouterState({ select: ({ location }) => location.state.panelOpener });
  const navigate = useNavigate();
  const { history } = useRouter();
  const go = useCallback(
    (change: PanelSearch, options: { replace: boolean; state?: { panelOpener: string } }) =>
      void navigate({ to: '.', search: (before: object) => ({ ...before, ...change }), resetScroll: false, ...options }),
    [navigate],
  );
  return {
    ...search,
    opener,
    open: (panel, { user, opener: from }) => go({ panel, user }, { replace: search.panel !== undefined, state: { panelOpener: from } }),
    close: () => (opener === undefined ? go({ panel: undefined, user: undefined }, { replace: true }) : history.back()),
  };
}
