import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countUnseen } from './list/useUnseen.ts';
import { canStep, stepFrom } from './selection.ts';

const rowsOf = (...ids: string[]) => ids.map((id) => ({ id }));
const LIST = rowsOf('e', 'd', 'c');

describe('stepping through the list', () => {
  it('has nowhere to go in an empty one', () => {
    expect(stepFrom([], undefined, 1)).toBeUndefined();
    expect(canStep([], undefined, 1)).toBe(false);
  });

  it('starts at the first where nothing is open, or what is open is not in the list', () => {
    expect(stepFrom(LIST, undefined, 1)?.id).toBe('e');
    expect(stepFrom(LIST, 'gone', -1)?.id).toBe('e');
  });

  it('goes on and back, and stays at the ends', () => {
    expect(stepFrom(LIST, 'e', 1)?.id).toBe('d');
    expect(stepFrom(LIST, 'd', -1)?.id).toBe('e');
    expect(stepFrom(LIST, 'e', -1)?.id).toBe('e');
    expect(stepFrom(LIST, 'c', 1)?.id).toBe('c');
  });

  it('can step exactly where stepping moves', () => {
    const step = fc.constantFrom<1 | -1>(1, -1);
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1 }), fc.nat(), step, (ids, at, by) => {
        const rows = rowsOf(...ids);
        const open = ids[at % ids.length];
        expect(canStep(rows, open, by)).toBe(stepFrom(rows, open, by)?.id !== open);
      }),
    );
  });
});

describe('what is not shown yet', () => {
  it('is nothing when the newest are shown', () => {
    expect(countUnseen(LIST, LIST, true)).toBe(0);
  });

  it('counts what is newer, and what became part of the list in between', () => {
    expect(countUnseen(rowsOf('g', 'f', 'e', 'd'), LIST, true)).toBe(2);
    expect(countUnseen(rowsOf('e', 'dd', 'd', 'c'), LIST, true)).toBe(1);
  });

  it('does not count what comes with the next page, but does what is older than a whole list', () => {
    expect(countUnseen(rowsOf('e', 'd', 'c', 'b'), LIST, true)).toBe(0);
    expect(countUnseen(rowsOf('e', 'd', 'c', 'b'), LIST, false)).toBe(1);
  });
});
