import { useNavigate, useSearch } from '@tanstack/react-router';
import * as v from 'valibot';

/** The words that a list is searched for, as an address has them: trimmed, and cut where they are too long. Undefined where there are none. */
export const searchedWords = (longest: number) =>
  v.fallback(
    v.optional(
      v.pipe(
        // An address of digits alone is read as a number.
        v.union([v.string(), v.number()]),
        v.transform((given) => String(given).trim().slice(0, longest)),
        v.nonEmpty(),
      ),
    ),
    undefined,
  );

/** A list's part of the address, and how it is changed: in place, without a step of the history, and without scrolling. */
export function useListSearch<T extends object>(read: (raw: Record<string, unknown>) => T): readonly [T, (change: Partial<T>) => void] {
  const navigate = useNavigate();
  const change = (wanted: Partial<T>) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...wanted }), replace: true, resetScroll: false });
  return [read(useSearch({ strict: false })), change];
}
