import { useRouter, useRouterState } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

declare module '@tanstack/react-router' {
  /** The state of an entry in the browser history. */
  interface HistoryState {
    /** The id of the element that opened the panel. Going back closes the panel and moves the focus there. */
    panelOpener?: string;
    /** The open item was opened from the previous entry, so going back closes it. */
    isOpened?: boolean;
    /** The overlays over the page, topmost last. */
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
 * (docs/rules.md#layers). `name` must be unique on the page.
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
      state: (previous) => ({ ...previous, layers: [...(previous.layers ?? []), name] }),
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
