/** Replaces line breaks and direction marks in names that people chose, which could forge a line of what is read. */
export function inLines<T>(value: T): T {
  if (typeof value === 'string') return value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ') as T & string;
  if (Array.isArray(value)) return value.map(inLines) as T & unknown[];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inLines(each)])) as T & object;
}
