import { type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { RefusalCode } from '#contract/core/errors.ts';
import type { ActionName, ServiceName } from '#contract/services.ts';
import { effectOf } from './effects.ts';
import { fieldMessageOf, isRefused, messageOf, NotFound, Unsuccessful, UserFacingError } from './errors.ts';
import { type AnswerOf, type Done, type RefusalTo, type SentTo, useSource } from './source.ts';

/** An action that runs one call at a time, with the result of the last one. */
export interface UseActionResult<Input, Output, Code extends RefusalCode = RefusalCode> {
  readonly isPending: boolean;
  /** Why the last call failed, as a message for the user. */
  readonly failure: string | undefined;
  /** The last call couldn't reach the server. */
  readonly isOffline: boolean;
  /** Returns the server's message for one field of the last call. */
  problemOf(field: string): string | undefined;
  /** Returns whether the server refused the last call with this code. */
  readonly isRefused: (code: Code) => boolean;
  /** Clears the failure after a value changed. */
  reset(): void;
  /** Runs the action, then `onDone` on success; resolves to whether it succeeded. Does nothing while a call is pending. */
  run(input: Input, onDone?: (output: Output) => void): Promise<boolean>;
}

interface UseActionOptions {
  /** A missing record counts as success, as for a deletion. */
  readonly allowNotFound?: boolean;
}

/** Returns an operation of the contract as an action: `useAction('property', 'save')`. effects.ts declares what it changes in the cache. */
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
      return successOf<S, A>(`${service}.${action}`, answer, allowNotFound);
    },
    ...effectOf(service, action, { client, source }),
  });
}

/** Returns a mutation as an action. */
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
      // `failure` reports the error.
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

/** Returns the answer of a successful call; throws `NotFound` or `Unsuccessful` otherwise. */
function successOf<S extends ServiceName, A extends ActionName<S>>(
  operation: string,
  answer: AnswerOf<S, A>,
  allowNotFound: boolean,
): Done<S, A> {
  // An answer has `status` or `success`, depending on the operation.
  const { status, success, data } = answer as { status?: string; success?: boolean; data?: { code: string; message: string } };
  if (status === 'not found' && !allowNotFound) throw new NotFound();
  if (success === false && data) throw new Unsuccessful(operation, data);
  // Both outcomes that aren't `Done` have been ruled out.
  return answer as Done<S, A>;
}
