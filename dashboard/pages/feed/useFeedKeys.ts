import type { RefObject } from 'react';
import type { Command } from '../../frame/shortcuts.ts';
import { DEFAULT_RANGE, type FeedSearch, neighbour } from './search.ts';
import type { ChangeSearch } from './useFeedSearch.ts';
import { useKeys } from './useKeys.ts';
import type { Selection } from './useSelection.ts';

interface FeedKeys {
  readonly search: FeedSearch;
  readonly change: ChangeSearch;
  readonly selection: Selection;
  readonly searchBox: RefObject<HTMLInputElement | null>;
}

/** What the feed's keys do. Each has a visible control that does the same. */
export function useFeedKeys({ search, change, selection, searchBox }: FeedKeys): void {
  useKeys((command) => obey(command));

  function obey(command: Command): boolean {
    switch (command.do) {
      case 'step':
        selection.step(command.by);
        return true;
      case 'close':
        return selection.close();
      case 'rate':
        change({ rating: command.rating });
        return true;
      case 'period': {
        const range = neighbour(search.range ?? DEFAULT_RANGE, command.by);
        change({ range: range === DEFAULT_RANGE ? undefined : range });
        return true;
      }
      case 'search':
        searchBox.current?.focus();
        return true;
    }
  }
}
