import { describe, expect, it } from 'vitest';
import { readAnswer } from './hosted-return.ts';

const read = (search: string, hash = '') => readAnswer({ search, hash });

describe('readAnswer', () => {
  it('reads a code, or tokens after the #', () => {
    expect(read('?code=abc&state=xyz')).toEqual({ kind: 'code', refused: undefined });
    expect(read('', '#id_token=a&access_token=b&state=xyz')).toEqual({ kind: 'token', refused: undefined });
  });

  it('reads a refusal and its reason', () => {
    expect(read('?error=access_denied&error_description=Not%20you&state=xyz')).toEqual({ kind: 'code', refused: 'Not you' });
    expect(read('?error=access_denied&state=xyz')).toEqual({ kind: 'code', refused: 'access_denied' });
    expect(read('', '#error=access_denied&error_description=Not+you&state=xyz')).toEqual({ kind: 'token', refused: 'Not you' });
  });

  it('ignores every other address', () => {
    for (const [search, hash] of [
      ['', ''],
      ['?range=week', '#main'],
      ['?code=abc', ''],
      ['?error=x', ''],
      ['', '#reset=123456&email=dana@harbor.test'],
      ['?state=open', ''],
    ] as const)
      expect(read(search, hash)).toBeUndefined();
  });
});
