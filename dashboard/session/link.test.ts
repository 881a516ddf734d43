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

  it('is not every place on a page', () => {
    for (const hash of ['', '#', '#main', '#reset=', '#invite=']) expect(readLink(hash)).toBeUndefined();
  });
});
