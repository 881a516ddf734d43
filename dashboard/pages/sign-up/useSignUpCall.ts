import { useQueryClient } from '@tanstack/react-query';
import type { Account } from '#contract/account.ts';
import { isConflict } from '../../data/errors.ts';
import { accountQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useWork, type Work } from '../../data/useWork.ts';

interface SignUpCall extends Omit<Work, 'run'> {
  /** Never optimistic: the next step is chosen from the account that the server answers with. */
  run(ask: () => Promise<Answer>): Promise<void>;
}

type Answer = { readonly status: 'ok'; readonly account: Account } | { readonly status: 'not found' };

/** A step's call. Where another tab or a lost answer was faster, the account is read anew and goes on from where it is. */
export function useSignUpCall(account: Account): SignUpCall {
  const client = useQueryClient();
  const { queryKey } = accountQuery(useSource(), account.id);
  const { run, ...work } = useWork();
  return {
    ...work,
    run: async (ask) => {
      await run(async () => {
        const answer = await ask().catch(async (error: unknown) => {
          await client.invalidateQueries();
          if (isConflict(error)) return undefined;
          throw error;
        });
        if (answer?.status === 'ok') client.setQueryData(queryKey, answer.account);
        else if (answer) await client.invalidateQueries();
      });
    },
  };
}
