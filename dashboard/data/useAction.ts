import { type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { RefusalCode } from '#contract/core/errors.ts';
import type { ActionName, ServiceName } from '#contract/services.ts';
import { effectOf } from './effects.ts';
import { fieldMessageOf, isRefused, messageOf, NotFound, Unsuccessful, UserFacingError } from './errors.ts';
import { type AnswerOf, type Done, type RefusalTo, type SentTo, useSource } from './source.ts';

/** One thing that can be done, one at a time, and what came of it. */
export interface UseActionResult<Input, Output, Code extends RefusalCode = RefusalCode> {
  readonly isPending: boolean;
  /** Why the last try did not work, as a message for a person. */
  readonly failure: string | undefined;
  /** Whether the last try reached nobody. */
  readonly isOffline: boolean;
  /** The server's message for one field, of the last try. */
  problemOf(field: string): string | undefined;
  /** Whether the server refused the last try with this code: one that the operation declares. */
  readonly isRefused: (code: Code) => boolean;
  /** Clears the failure: a value was changed since. */
  reset(): void;
  /**
   * Runs the action, then `onDone` where it worked; resolves to whether it did. A second call while the first is under way
   * does nothing.
   */
  run(input: Input, onDone?: (output: Output) => void): Promise<boolean>;
}

interface UseActionOptions {
  /** The record may be missing: it is to be removed, so that is no failure. */
  readonly allowNotFound?: boolean;
}

/** An operation of the contract as something to do: `useAction('property', 'save')`. effects.ts declares what it changes in the cache. */
export function useAction<S extends ServiceName, A extends ActionName<S>>(
  service: S,
  action: A,
  { allowNotFound = false }: UseActionOptions = {},
): UseActionResult<SentTo<S, A>, Done<S, A>, RefusalTo<S, A>> {
  const source = useSource();
  const client = useQueryClient();
  return useMutationAction({
    mutationFn: async (input: SentTo<S, A>) => {
      const answer = await source.call(service, action, input);
      return doneBy<S, A>(`${service}.${action}`, answer, allowNotFound);
    },
    ...effectOf(service, action, { client, source }),
  });
}

/** Query's mutation as an action. */
export function useMutationAction<Input, Output>(options: UseMutationOptions<Output, Error, Input>): UseActionResult<Input, Output> {
  const { isPending, error, reset, mutateAsync } = useMutation(options);
  const isRunning = useRef(false);
  return {
    isPending,
    failure: error === null ? undefined : messageOf(error),
    isOffline: error instanceof UserFacingError && error.isOffline,
    problemOf: (field) => fieldMessageOf(error, field),
    isRefused: (code) => isRefused(error, code),
    reset: () => {
      if (!isRunning.current) reset();
    },
    async run(input, onDone) {
      if (isRunning.current) return false;
      isRunning.current = true;
      // What went wrong is shown as `failure`.
      const done = await mutateAsync(input).then(
        (output) => ({ output }),
        () => undefined,
      );
      isRunning.current = false;
      if (done) onDone?.(done.output);
      return done !== undefined;
    },
  };
}

/** The answer, where it says that the action was done. */
function doneBy<S extends ServiceName, A extends ActionName<S>>(
  operation: string,
  answer: AnswerOf<S, A>,
  allowNotFound: boolean,
): Done<S, A> {
  // Every answer of the contract says `status` or `success`; which of them, depends on the operation.
  const { status, success, data } = answer as { status?: string; success?: boolean; data?: { code: string; message: string } };
  if (status === 'not found' && !allowNotFound) throw new NotFound();
  if (success === false && data) throw new Unsuccessful(operation, data);
  // Both outcomes that are not `Done` were looked at just now.
  return answer as Done<S, A>;
}
