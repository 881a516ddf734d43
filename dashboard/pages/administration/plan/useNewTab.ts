import { useState } from 'react';
import type { UseActionResult } from '../../../data/useAction.ts';

interface UseNewTab<Input> {
  readonly isPending: boolean;
  readonly failure: string | undefined;
  /** The address, where the browser opened no tab for it. */
  readonly unopened: string | undefined;
  open(input: Input): void;
}

/**
 * Opens the address that an action gives in a tab of its own. The tab is opened by the press itself and led on when the
 * address is there: a tab that opens later is kept back as an advertisement.
 */
export function useNewTab<Input>(
  action: Pick<UseActionResult<Input, { readonly url: string }>, 'isPending' | 'failure' | 'run'>,
): UseNewTab<Input> {
  const [unopened, setUnopened] = useState<string>();
  const { isPending, failure, run } = action;

  async function lead(tab: Window | null, input: Input): Promise<void> {
    const isDone = await run(input, ({ url }) => (tab ? tab.location.replace(url) : setUnopened(url)));
    if (!isDone) tab?.close();
  }

  return {
    isPending,
    failure,
    unopened: failure === undefined ? unopened : undefined,
    open(input) {
      if (isPending) return;
      setUnopened(undefined);
      const tab = window.open('', '_blank');
      if (tab) {
        tab.opener = null;
        tab.document.title = 'Opening…';
      }
      void lead(tab, input);
    },
  };
}
