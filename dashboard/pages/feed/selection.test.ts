import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unseenOf, withUnseen } from './list/useUnseen.ts';
import { canStep, stepFrom } from './selection.ts';

const rowsOf = (...ids: string[]) => ids.map((id) => ({ id }));
const LIST = rowsOf('e', 'd', 'c');

describe('stepping through the list', () => {
  it('goes nowhere in an empty list', () => {
    expect(stepFrom([], undefined, 1)).toBeUndefined();
    expect(canStep([], undefined, 1)).toBe(false);
  });

  it('starts at the first row if nothing is open, or if the open item is not in the list', () => {
    expect(stepFrom(LIST, undefined, 1)?.id).toBe('e');
    expect(stepFrom(LIST, 'gone', -1)?.id).toBe('e');
  });

  it('moves forward and back, and stops at the ends', () => {
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

const idsOf = (rows: readonly { id: string }[]): string => rows.map(({ id }) => id).join(' ');

describe('new rows', () => {
  it('are none when the newest are shown', () => {
    expect(unseenOf(LIST, LIST, { hasMore: true, order: 'newest' })).toEqual([]);
  });

  it('are newer ones, and ones that joined the list in between', () => {
    expect(idsOf(unseenOf(rowsOf('g', 'f', 'e', 'd'), LIST, { hasMore: true, order: 'newest' }))).toBe('g f');
    expect(idsOf(unseenOf(rowsOf('e', 'dd', 'd', 'c'), LIST, { hasMore: true, order: 'newest' }))).toBe('dd');
    expect(idsOf(unseenOf(rowsOf('g', 'f', 'e', 'd'), LIST, { hasMore: true, order: undefined }))).toBe('g f');
  });

  it('exclude rows of the next page, and include older ones once the list has no more pages', () => {
    expect(unseenOf(rowsOf('e', 'd', 'c', 'b'), LIST, { hasMore: true, order: 'newest' })).toEqual([]);
    expect(idsOf(unseenOf(rowsOf('e', 'd', 'c', 'b'), LIST, { hasMore: false, order: 'newest' }))).toBe('b');
  });

  it('with the oldest first are those between the rows, and those after them once the list has no more pages', () => {
    const [shown, head] = [rowsOf('b', 'd', 'f'), rowsOf('g', 'f', 'e', 'd')];
    expect(idsOf(unseenOf(head, shown, { hasMore: true, order: 'oldest' }))).toBe('e');
    expect(idsOf(unseenOf(head, shown, { hasMore: false, order: 'oldest' }))).toBe('g e');
    expect(unseenOf(rowsOf('f', 'd'), shown, { hasMore: false, order: 'oldest' })).toEqual([]);
    const list = { pages: [{ feedback: rowsOf('b', 'd') }, { feedback: rowsOf('f') }] };
    expect(withUnseen(list, rowsOf('g', 'e', 'c'), 'oldest').pages.map(({ feedback }) => idsOf(feedback))).toEqual(['b c d', 'e f g']);
  });

  it('are inserted in order into the loaded pages', () => {
    const pagesOf = (...pages: string[][]) => ({ pages: pages.map((ids) => ({ feedback: rowsOf(...ids) })) });
    const show = (...ids: string[]) =>
      withUnseen(pagesOf(['h', 'f'], ['d', 'b']), rowsOf(...ids), 'newest').pages.map(({ feedback }) => idsOf(feedback));
    expect(show('j', 'i')).toEqual(['j i h f', 'd b']);
    expect(show('g', 'e', 'a')).toEqual(['h g f', 'e d b a']);
    expect(show()).toEqual(['h f', 'd b']);
  });
});
