import { useRouter, useRouterState } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

declare module '@tanstack/react-router' {
  /** The state of an entry in the browser history. */
  interface HistoryState {
    /** The id of the element that opened the panel. Going back closes the panel and moves the focus there. */
    panelOpener?: string;
    /** When the panel was opened (UTC ms), so that a late answer doesn't close one that was opened since. */
    panelOpened?: number;
    /** The open item was opened from the previous entry, so going back closes it. */
    isOpened?: boolean;
    /** The names of the overlays over the page, topmost last, each with the time it was opened. */
    layers?: readonly string[];
  }
}

interface Layer {
  open(): void;
  close(): void;
  toggle(): void;
}

/**
 * Tracks an overlay, such as a sheet or dialog. Each has its own history entry, so that Back closes it before leaving the page
 * (docs/rules.md#layers). `name` must be unique on the page. A function to close it, from when it was open, doesn't close it once it was
 * closed and opened again, as by an answer that comes late.
 */
export function useLayer(name: string): readonly [isOpen: boolean, layer: Layer] {
  const router = useRouter();
  const opened = useRouterState({ select: ({ location }) => layerOf(location.state.layers, name) });
  const isOpen = opened !== undefined;
  const layersNow = useCallback(() => router.history.location.state.layers ?? [], [router]);
  const open = useCallback(() => {
    if (layerOf(layersNow(), name) !== undefined) return;
    void router.navigate({
      to: '.',
      search: true,
      state: (previous) => ({ ...previous, layers: [...(previous.layers ?? []), `${name} ${Date.now()}`] }),
      resetScroll: false,
    });
  }, [router, name, layersNow]);
  const close = useCallback(() => {
    const at = opened === undefined ? -1 : layersNow().indexOf(opened);
    if (at !== -1) void leaveTo(router.history, at);
  }, [router, opened, layersNow]);
  return [isOpen, useMemo(() => ({ open, close, toggle: isOpen ? close : open }), [open, close, isOpen])];
}

const layerOf = (layers: readonly string[] | undefined, name: string): string | undefined =>
  layers?.find((layer) => layer === name || layer.startsWith(`${name} `));

type RouterHistory = ReturnType<typeof useRouter>['history'];

/** The fewest layers requested to remain in this turn. */
let depth: number | undefined;
/** Pending while the browser goes back, which is asynchronous. */
let leaving: Promise<void> | undefined;

/** Goes back until the given number of layers is open; -1 is the entry before the page's own. Of several calls at once, the furthest wins. */
export function leaveTo(history: RouterHistory, layers: number): Promise<void> {
  depth = Math.min(depth ?? layers, layers);
  leaving ??= Promise.resolve().then(async () => {
    const by = (history.location.state.layers?.length ?? 0) - (depth ?? 0);
    if (by > 0) {
      const popped = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
      history.go(-by);
      await popped;
    }
    depth = undefined;
    leaving = undefined;
  });
  return leaving;
}
