import { expect, it } from 'vitest';
import { fileText } from './file-text.ts';

it.each([
  ['utf-8', 'Zoë, İnci, 王 €'],
  ['utf-8', '\uFEFFZoë', 'Zoë'],
  ['latin1', 'Zoë Ramírez'],
] as const)('reads a file in %s that contains %j', (encoding, content, text: string = content) => {
  expect(fileText(new Uint8Array(Buffer.from(content, encoding)))).toBe(text);
});

it('reads the signs that windows-1252 has and latin1 hasn’t', () => {
  expect(fileText(new Uint8Array([0x80, 0x20, 0x4f, 0x92, 0x42, 0xe9]))).toBe('€ O’Bé');
});
