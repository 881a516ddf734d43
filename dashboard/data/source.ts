import { createContext, useContext } from 'react';
import type { Answer, Sent } from '#contract/operation.ts';
import type { ActionName, ServiceName, Services } from '#contract/services.ts';

/** What the server tells while a page is open. */
export type LiveEvent =
  | {
      readonly kind: 'feedback';
      readonly what: 'submitted' | 'amended';
      readonly id: string;
      readonly propertyId: string;
      readonly rating: number;
      readonly urgent: boolean;
    }
  /** Something may have been missed: read anew. */
  | { readonly kind: 'missed' };

/** Calls an operation of the contract. */
export type CallOperation = <S extends ServiceName, A extends ActionName<S>>(
  service: S,
  action: A,
  input: Sent<OperationOf<S, A>>,
  signal?: AbortSignal,
) => Promise<Answer<OperationOf<S, A>>>;

// `Services` holds operations only; the compiler cannot follow a doubly indexed type parameter to see it.
type OperationOf<S extends ServiceName, A extends ActionName<S>> = Services[S][A] extends infer Op
  ? Op extends import('#contract/operation.ts').Operation
    ? Op
    : never
  : never;

/** Where the dashboard's data comes from: the server, or the demo's sample business. */
export interface Source {
  readonly id: 'server' | 'demo';
  readonly call: CallOperation;
  /** Tells what happens until stopped. */
  listen(hear: (event: LiveEvent) => void): () => void;
}

const SourceContext = createContext<Source | undefined>(undefined);
export const SourceProvider = SourceContext.Provider;

export function useSource(): Source {
  const source = useContext(SourceContext);
  if (!source) throw new Error('A page was drawn without a source of data');
  return source;
}
