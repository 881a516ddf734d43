import { describe, expect, it } from 'vitest';
import { readLink } from './link.ts';

describe('a mailed link', () => {
  it('carries a reset code and whose it is', () => {
    expect(readLink('#reset=123456&email=Dana%40harbor.test')).toEqual({ to: 'reset', code: '123456', email: 'dana@harbor.test' });
    expect(readLink('#reset=123456')).toEqual({ to: 'reset', code: '123456', email: '' });
  });

  it('carries an invitation', () => {
    expect(readLink('#invite=abc_DEF-123')).toEqual({ to: 'invite', key: 'abc_DEF-123' });
  });

  it('carries what confirms an address, and for which sign-up', () => {
    expect(readLink('#verify=abc_DEF-123&user=0f&email=Dana%40harbor.test')).toEqual({
      to: 'verify',
      key: 'abc_DEF-123',
      user: '0f',
      email: 'dana@harbor.test',
    });
  });

  it('carries the refusal of a reset', () => {
    expect(readLink('#keep-two-step=abc_DEF-123')).toEqual({ to: 'keep-two-step', key: 'abc_DEF-123' });
  });

  it('carries what locks an account', () => {
    expect(readLink('#not-me=abc_DEF-123')).toEqual({ to: 'not-me', key: 'abc_DEF-123' });
  });

  it('is not every place on a page', () => {
    for (const hash of ['', '#', '#main', '#reset=', '#invite=', '#verify=abc', '#user=abc']) expect(readLink(hash)).toBeUndefined();
  });
});
