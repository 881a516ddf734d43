import { type HistoryState, useNavigate, useRouter, useRouterState, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import * as v from 'valibot';
import { feedbackIdSchema, propertyIdSchema, userIdSchema } from '#contract/core/ids.ts';
import { leaveTo } from '../ui/layers/useLayer.ts';

const PANELS = [
  'profile',
  'account',
  'plan',
  'password',
  'user',
  'property',
  'comments',
  'notifications',
  'internal-feedback',
  'report-bug',
] as const;
export type PanelName = (typeof PANELS)[number];

const panelSearch = v.object({
  panel: v.optional(v.fallback(v.optional(v.picklist(PANELS)), undefined)),
  user: v.optional(v.fallback(v.optional(userIdSchema), undefined)),
  place: v.optional(v.fallback(v.optional(propertyIdSchema), undefined)),
  about: v.optional(v.fallback(v.optional(feedbackIdSchema), undefined)),
});

/** The panel that an address opens, with the id of its user or property; without an id, the panel creates one. */
interface PanelSearch {
  readonly panel?: PanelName | undefined;
  readonly user?: string | undefined;
  readonly place?: string | undefined;
  /** The feedback that the comments are on. */
  readonly about?: string | undefined;
}

/** Reads the search parameters. Returns every key, so that unknown values are removed from the address. */
export function readPanelSearch(raw: Record<string, unknown>): PanelSearch {
  const { panel, user, place, about } = v.parse(panelSearch, raw);
  return {
    panel,
    user: panel === 'user' ? user : undefined,
    place: panel === 'property' ? place : undefined,
    about: panel === 'comments' ? about : undefined,
  };
}

interface OpenPanel {
  readonly user?: string;
  readonly place?: string;
  readonly about?: string;
  /** The id of the element to focus after closing. */
  readonly opener: string;
  /** Replaces the sheet that opened it. */
  readonly isInPlace?: boolean;
}

interface UsePanel extends PanelSearch {
  readonly opener: string | undefined;
  open(panel: PanelName, options: OpenPanel): void;
  close(): void;
}

/** Returns the open panel, which is part of the address: Back closes it, and a link can open it. */
export function usePanel(): UsePanel {
  const search = readPanelSearch(useSearch({ strict: false }));
  const opener = useRouterState({ select: ({ location }) => location.state.panelOpener });
  const opened = useRouterState({ select: ({ location }) => location.state.panelOpened });
  const navigate = useNavigate();
  const { history } = useRouter();
  const go = useCallback(
    (change: PanelSearch, options: { replace: boolean; state?: HistoryState }) =>
      void navigate({ to: '.', search: (previous: object) => ({ ...previous, ...change }), resetScroll: false, ...options }),
    [navigate],
  );
  return {
    ...search,
    opener,
    open(panel, { user, place, about, opener: from, isInPlace = false }) {
      const isFollowing = search.panel !== undefined;
      // The panel that it replaces has an entry below it in the history only if it has an opener.
      const returnsTo = isFollowing ? opener : from;
      const state = { panelOpened: Date.now(), ...(returnsTo !== undefined && { panelOpener: returnsTo }) };
      go({ panel, user, place, about }, { replace: isInPlace || isFollowing, state });
    },
    close() {
      // It was closed before, and another may be open.
      if (history.location.state.panelOpened !== opened) return;
      if (opener === undefined)
        void leaveTo(history, 0).then(() =>
          go({ panel: undefined, user: undefined, place: undefined, about: undefined }, { replace: true }),
        );
      else void leaveTo(history, -1);
    },
  };
}
