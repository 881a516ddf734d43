import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { formPath, REF_FIELD } from '../form/form-page.ts';
import { signatureOf, signedOrder, signedText } from './order-number.ts';

describe('a signed order number', () => {
  it.each(['1042', 'A-7', '2026.11_0042', 'x'.repeat(40)])('has any letters, digits, dots, hyphens and underscores: %s', (order) => {
    expect(signedOrder(`${order}.at1i_fITI7KIjHXE`)).toEqual({ order, signature: 'at1i_fITI7KIjHXE' });
  });

  it.each([
    ['no signature', '1042'],
    ['no order number', '.at1i_fITI7KIjHXE'],
    ['a short signature', '1042.at1i_fITI7KIjHX'],
    ['a long signature', '1042.at1i_fITI7KIjHXEm'],
    ['a signature in base64', '1042.at1i/fITI7KIjHXE'],
    ['a long order number', `${'x'.repeat(41)}.at1i_fITI7KIjHXE`],
    ['a space', '10 42.at1i_fITI7KIjHXE'],
    ['a letter of another script', 'Ω1042.at1i_fITI7KIjHXE'],
    ['a line break at the end', '1042.at1i_fITI7KIjHXE\n'],
  ])('is malformed with %s', (_name, text) => {
    expect(signedOrder(text)).toBeUndefined();
  });

  it('has the first 96 bits of an HMAC of the form and the order, as in the guide', () => {
    const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/guides/developers.md'), 'utf8');
    const [, secret = '', formId = '', order = '', ref = ''] =
      /secret `(\w{43})`, the form `(FORM_\w+)` and the order number `(\d+)` give `(\S+)`/.exec(guide) ?? [];
    const mac = createHmac('sha256', secret).update(signedText(formId, order)).digest('base64url');
    expect(ref).toBe(`${formPath(formId)}?${REF_FIELD}=${order}.${signatureOf(mac)}`);
  });
});
