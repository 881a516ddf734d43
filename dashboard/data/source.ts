import { createContext, useContext } from 'react';
import type { Answer, Operation, RefusalOf, Sent } from '#contract/core/operation.ts';
import type { RecordedEvent } from '#contract/events.ts';
import type { ActionName, ServiceName, Services } from '#contract/services.ts';

/** What happens in the account while a page is open; `missed`: something may have gone by unseen, so read anew; `notified`: look behind the bell. */
export type LiveEvent = RecordedEvent | { readonly name: 'missed' | 'notified' };

// `Services` holds operations only; the compiler cannot follow a doubly indexed type parameter to see it.
type OperationOf<S extends ServiceName, A extends ActionName<S>> = Services[S][A] extends infer Op
  ? Op extends Operation
    ? Op
    : never
  : never;
export type SentTo<S extends ServiceName, A extends ActionName<S>> = Sent<OperationOf<S, A>>;
export type AnswerOf<S extends ServiceName, A extends ActionName<S>> = Answer<OperationOf<S, A>>;
/** What the server may refuse the call with. */
export type RefusalTo<S extends ServiceName, A extends ActionName<S>> = RefusalOf<OperationOf<S, A>>;
/** The answer where the thing asked for was done. */
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

/** Where the dashboard's data comes from: the server, the demo's sample business, or what this device keeps of an earlier visit. */
export interface DataSource {
  readonly id: 'server' | 'demo' | 'kept';
  readonly call: CallOperation;
  /** Calls back with each event; gives what unsubscribes. */
  listen(onEvent: (event: LiveEvent) => void): () => void;
}

const SourceContext = createContext<DataSource | undefined>(undefined);
export const SourceProvider = SourceContext.Provider;

export function useSource(): DataSource {
  const source = useContext(SourceContext);
  if (!source) throw new Error('A page was drawn without a source of data');
  return source;
}
