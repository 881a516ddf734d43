/** Replaces line breaks and direction marks with spaces, because a name chosen by a user could forge a line of output. */
export function withoutLineBreaks<T>(value: T): T {
  if (typeof value === 'string') return value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ') as T & string;
  if (Array.isArray(value)) return value.map(withoutLineBreaks) as T & unknown[];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, withoutLineBreaks(entry)])) as T & object;
}
