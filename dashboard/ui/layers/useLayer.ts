import { useRouter, useRouterState } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

declare module '@tanstack/react-router' {
  /** What an entry of the browser's history knows besides its address. */
  interface HistoryState {
    /** The id of what opened the panel: going back leads to the page below, and the focus returns there. */
    panelOpener?: string;
    /** The row that was pressed in the entry before opened what is open: going back closes it. */
    isOpened?: boolean;
    /** What lies over the page, the topmost last. */
    layers?: readonly string[];
  }
}

interface Layer {
  open(): void;
  close(): void;
  toggle(): void;
}

/**
 * Something that lies over the page: a sheet, a dialog. Each has an entry of its own in the history, so that Back closes it
 * before it leaves the page (docs/rules.md#layers). `name` is that of no other on the page.
 */
export function useLayer(name: string): readonly [isOpen: boolean, layer: Layer] {
  const router = useRouter();
  const isOpen = useRouterState({ select: ({ location }) => location.state.layers?.includes(name) ?? false });
  const layersNow = useCallback(() => router.history.location.state.layers ?? [], [router]);
  const open = useCallback(() => {
    if (layersNow().includes(name)) return;
    void router.navigate({
      to: '.',
      search: true,
      state: (before) => ({ ...before, layers: [...(before.layers ?? []), name] }),
      resetScroll: false,
    });
  }, [router, name, layersNow]);
  const close = useCallback(() => {
    const at = layersNow().indexOf(name);
    if (at !== -1) void leaveTo(router.history, at);
  }, [router, name, layersNow]);
  return [isOpen, useMemo(() => ({ open, close, toggle: isOpen ? close : open }), [open, close, isOpen])];
}

type RouterHistory = ReturnType<typeof useRouter>['history'];

/** The fewest layers that somebody asked to leave in this turn. */
let depth: number | undefined;
/** The browser goes back a moment after it was asked to. */
let leaving: Promise<void> | undefined;

/** Goes back to where so many layers lie over the page; -1 is the entry before the page's own. Asked more than once at a time, it goes furthest. */
export function leaveTo(history: RouterHistory, layers: number): Promise<void> {
  depth = Math.min(depth ?? layers, layers);
  leaving ??= Promise.resolve().then(async () => {
    const by = (history.location.state.layers?.length ?? 0) - (depth ?? 0);
    if (by > 0) {
      const gone = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
      history.go(-by);
      await gone;
    }
    depth = undefined;
    leaving = undefined;
  });
  return leaving;
}
