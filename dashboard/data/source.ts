import { createContext, useContext } from 'react';
import type { Answer, Operation, RefusalOf, SentInput } from '#contract/core/operation.ts';
import type { RecordedEvent } from '#contract/events.ts';
import type { ActionName, ServiceName, Services } from '#contract/services.ts';

/** An event in the account while a page is open. `missed`: events may have been lost, so refetch; `notified`: the notifications changed. */
export type LiveEvent = RecordedEvent | { readonly name: 'missed' | 'notified' };

// `Services` contains only operations, which the compiler can't see through two type parameters.
type OperationOf<S extends ServiceName, A extends ActionName<S>> = Services[S][A] extends infer Op
  ? Op extends Operation
    ? Op
    : never
  : never;
export type SentTo<S extends ServiceName, A extends ActionName<S>> = SentInput<OperationOf<S, A>>;
export type AnswerOf<S extends ServiceName, A extends ActionName<S>> = Answer<OperationOf<S, A>>;
/** The codes that the server may refuse the call with. */
export type RefusalTo<S extends ServiceName, A extends ActionName<S>> = RefusalOf<OperationOf<S, A>>;
/** The answer of a successful call. */
export type Done<S extends ServiceName, A extends ActionName<S>> = Exclude<
  AnswerOf<S, A>,
  { readonly status: 'not found' } | { readonly success: false }
>;

/** Calls an operation of the contract. */
export type CallOperation = <S extends ServiceName, A extends ActionName<S>>(
  service: S,
  action: A,
  input: SentTo<S, A>,
  signal?: AbortSignal,
) => Promise<AnswerOf<S, A>>;

/** The source of the dashboard's data: the server, the demo's sample business, or what this device stored earlier. */
export interface DataSource {
  readonly id: 'server' | 'demo' | 'persisted';
  readonly call: CallOperation;
  /** Subscribes to events; returns a function that unsubscribes. */
  listen(onEvent: (event: LiveEvent) => void): () => void;
}

const SourceContext = createContext<DataSource | undefined>(undefined);
export const SourceProvider = SourceContext.Provider;

export function useSource(): DataSource {
  const source = useContext(SourceContext);
  if (!source) throw new Error('A page was rendered without a data source');
  return source;
}
