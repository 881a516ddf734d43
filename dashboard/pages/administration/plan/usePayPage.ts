import { useState } from 'react';
import type { UseActionResult } from '../../../data/useAction.ts';
import { paths } from '../../../paths.ts';
import { useWindowEvent } from '../../../ui/theme/mantine.ts';

interface UsePayPage<Input> {
  readonly isPending: boolean;
  readonly failure: string | undefined;
  go(input: Input): void;
}

/**
 * Opens `/pay` for the transaction that an action creates, with a full page load. The button stays busy until the page is
 * left, and is enabled again on coming back.
 */
export function usePayPage<Input>(
  action: Pick<UseActionResult<Input, { readonly transactionId: string }>, 'isPending' | 'failure' | 'run'>,
): UsePayPage<Input> {
  const [isLeaving, setLeaving] = useState(false);
  useWindowEvent('pageshow', () => setLeaving(false));
  return {
    isPending: action.isPending || isLeaving,
    failure: action.failure,
    go: (input) =>
      void action.run(input, ({ transactionId }) => {
        setLeaving(true);
        location.assign(paths.payFor(transactionId));
      }),
  };
}
