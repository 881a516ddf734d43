import { describe, expect, it } from 'vitest';
import { readLink } from './link.ts';

describe('readLink', () => {
  it('reads a reset code and its email', () => {
    expect(readLink('#reset=123456&email=Dana%40harbor.test')).toEqual({ to: 'reset', code: '123456', email: 'dana@harbor.test' });
    expect(readLink('#reset=123456')).toEqual({ to: 'reset', code: '123456', email: '' });
  });

  it('reads an invitation', () => {
    expect(readLink('#invite=abc_DEF-123')).toEqual({ to: 'invite', key: 'abc_DEF-123' });
  });

  it('reads an address confirmation and its sign-up', () => {
    expect(readLink('#verify=abc_DEF-123&user=0f&email=Dana%40harbor.test')).toEqual({
      to: 'verify',
      key: 'abc_DEF-123',
      user: '0f',
      email: 'dana@harbor.test',
    });
  });

  it('reads the cancellation of a reset', () => {
    expect(readLink('#keep-two-step=abc_DEF-123')).toEqual({ to: 'keep-two-step', key: 'abc_DEF-123' });
  });

  it('reads an account lock', () => {
    expect(readLink('#not-me=abc_DEF-123')).toEqual({ to: 'not-me', key: 'abc_DEF-123' });
  });

  it('ignores every other hash', () => {
    for (const hash of ['', '#', '#main', '#reset=', '#invite=', '#verify=abc', '#user=abc']) expect(readLink(hash)).toBeUndefined();
  });
});
