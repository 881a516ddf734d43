import { refusal } from '#contract/errors.ts';

const MOST_DEPTH = 20;
const MOST_PARTS = 1_000;

/** Parses a request body within its limits (docs/limits.md#json): refuses what is not JSON, too deep, or in too many parts. */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal('bad-json');
  }
  if (!isWithin(value)) throw refusal('too-complex');
  return value;
}

function isWithin(root: unknown): boolean {
  let level: unknown[] = [root];
  let parts = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    const next = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
    parts += next.length;
    if (parts > MOST_PARTS || (depth >= MOST_DEPTH && next.length > 0)) return false;
    level = next;
  }
  return true;
}
