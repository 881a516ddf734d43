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
    ['no JSON', '{"a":', 'bad-json'],
    ['a bracket too many', '[1]]', 'bad-json'],
    // Were it parsed first, it would be called no JSON.
    ['too much that would end as no JSON', '['.repeat(100_000), 'too-complex'],
    ['too many lists that would end as no JSON', `[${'[],'.repeat(80_000)}`, 'too-complex'],
  ])('is refused: %s', (_what, text, code) => {
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ code }));
  });

  it.each([
    ['as many levels as may be', nested(20)],
    ['an empty list beyond them', nested(20, '[ ]')],
    ['as many parts as may be', list(1_000)],
    ['parts of parts', list(333, '{"a": {"b": 1}}')],
    ['words full of brackets and commas', JSON.stringify({ text: '[{,"\\'.repeat(2_000) })],
  ])('is taken: %s', (_what, text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('comes out as it went in', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.boolean(), (value, isSpaced) => {
        const text = JSON.stringify(value, undefined, isSpaced ? 2 : undefined);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});
