import { useNavigate, useSearch } from '@tanstack/react-router';
import * as v from 'valibot';

/** Returns a schema for a list's search text in the address: trimmed, cut to the longest length, undefined if empty. */
export const searchText = (longest: number) =>
  v.fallback(
    v.optional(
      v.pipe(
        // The router parses digits as a number.
        v.union([v.string(), v.number()]),
        v.transform((raw) => String(raw).trim().slice(0, longest)),
        v.nonEmpty(),
      ),
    ),
    undefined,
  );

/** Returns a list's part of the address, and a function that changes it without a history entry or scrolling. */
export function useListSearch<T extends object>(read: (raw: Record<string, unknown>) => T): readonly [T, (change: Partial<T>) => void] {
  const navigate = useNavigate();
  const change = (next: Partial<T>) =>
    void navigate({ to: '.', search: (previous: object) => ({ ...previous, ...next }), replace: true, resetScroll: false });
  return [read(useSearch({ strict: false })), change];
}
