import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from './json.ts';

const nested = (depth: number, inmost = '1'): string => `${'['.repeat(depth)}${inmost}${']'.repeat(depth)}`;
const list = (length: number, part = '0'): string => `[${Array(length).fill(part).join(', ')}]`;

describe('a body', () => {
  it.each([
    ['a level too many', nested(21), 'too-complex'],
    ['a part too many', list(1_001), 'too-complex'],
    ['parts of parts', list(334, '{"a": {"b": 1}}'), 'too-complex'],
    ['invalid JSON', '{"a":', 'bad-json'],
    ['a bracket too many', '[1]]', 'bad-json'],
    // The limits are checked before parsing, which would refuse these as invalid JSON.
    ['too deep and invalid JSON', '['.repeat(100_000), 'too-complex'],
    ['too many lists and invalid JSON', `[${'[],'.repeat(80_000)}`, 'too-complex'],
  ])('is refused: %s', (_name, text, code) => {
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ code }));
  });

  it.each([
    ['the most levels', nested(20)],
    ['an empty list beyond them', nested(20, '[ ]')],
    ['the most parts', list(1_000)],
    ['parts of parts', list(333, '{"a": {"b": 1}}')],
    ['text full of brackets and commas', JSON.stringify({ text: '[{,"\\'.repeat(2_000) })],
  ])('is accepted: %s', (_name, text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('is parsed as by JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.boolean(), (value, isSpaced) => {
        const text = JSON.stringify(value, undefined, isSpaced ? 2 : undefined);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});
