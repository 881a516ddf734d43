import type { AccountScope } from './access.ts';

/** What a room does when a fact is told: inside the transaction that made the fact true. */
export type Reactions<Facts> = { readonly [Name in keyof Facts]?: (scope: AccountScope, fact: Facts[Name]) => Promise<void> };

/** Tells a fact to every room that reacts to it, in the order in which the rooms stand. */
export type Emit<Facts> = <Name extends keyof Facts>(scope: AccountScope, name: Name, fact: Facts[Name]) => Promise<void>;

export function createEmit<Facts>(rooms: readonly Reactions<Facts>[]): Emit<Facts> {
  return async (scope, name, fact) => {
    for (const reactions of rooms) await reactions[name]?.(scope, fact);
  };
}
