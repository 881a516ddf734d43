import { useState } from 'react';
import type { UseActionResult } from '../../../data/useAction.ts';
import { t } from '../../../language.ts';

interface UseNewTab<Input> {
  readonly isPending: boolean;
  readonly failure: string | undefined;
  /** The address, if the browser blocked the tab. */
  readonly blockedUrl: string | undefined;
  open(input: Input): void;
}

/**
 * Opens the address that an action returns in a new tab. The tab opens empty on click and loads the address when it arrives:
 * browsers block tabs that open later.
 */
export function useNewTab<Input>(
  action: Pick<UseActionResult<Input, { readonly url: string }>, 'isPending' | 'failure' | 'run'>,
): UseNewTab<Input> {
  const [blockedUrl, setBlockedUrl] = useState<string>();
  const { isPending, failure, run } = action;

  async function load(tab: Window | null, input: Input): Promise<void> {
    const isDone = await run(input, ({ url }) => (tab ? tab.location.replace(url) : setBlockedUrl(url)));
    if (!isDone) tab?.close();
  }

  return {
    isPending,
    failure,
    blockedUrl: failure === undefined ? blockedUrl : undefined,
    open(input) {
      if (isPending) return;
      setBlockedUrl(undefined);
      const tab = window.open('', '_blank');
      if (tab) {
        tab.opener = null;
        tab.document.title = t('Opening…');
      }
      void load(tab, input);
    },
  };
}
