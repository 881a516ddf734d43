import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGzipTemplate } from './gzip-template.ts';

const GAP = '\u0001gap\u0001';

test('a filled template decompresses to the page with the value in every gap', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 2_000 }).filter((part) => !part.includes('\u0001'));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), fc.string({ unit: 'grapheme', maxLength: 200 }), (parts, value) => {
      fc.pre(!value.includes('\u0001'));
      const template = createGzipTemplate(parts.join(GAP), GAP);
      expect(gunzipSync(template.fill(value)).toString()).toBe(parts.join(value));
      expect(template.plain(value)).toBe(parts.join(value));
    }),
  );
});

test('dollar signs in a value are inserted literally', () => {
  const template = createGzipTemplate(`a${GAP}b`, GAP);
  expect(template.plain("$$ $& $'")).toBe("a$$ $& $'b");
});
