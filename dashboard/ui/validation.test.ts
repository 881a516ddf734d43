import { describe, expect, it } from 'vitest';
import { codeProblem, emailProblem, passwordProblem } from './validation.ts';

describe('fields', () => {
  it('take an address as the contract has it', () => {
    for (const right of ['dana@harbor.com', 'a1@b.co.uk', 'd.m-x_y@cafe.store']) expect(emailProblem(right)).toBeUndefined();
    for (const wrong of ['', 'dana', '@b.com', '.a@b.com', 'a@b', 'a@b.museum', 'a b@c.de'])
      expect(emailProblem(wrong)).toBe('Please enter a valid email');
  });

  it('take a new password from 8 to 128 characters, of any kind', () => {
    expect(passwordProblem('1234567')).toBe('Use at least 8 characters');
    expect(passwordProblem('        ')).toBeUndefined();
    expect(passwordProblem('x'.repeat(128))).toBeUndefined();
    expect(passwordProblem('x'.repeat(129))).toBe('Use at most 128 characters');
  });

  it('take digits as a code', () => {
    expect(codeProblem('')).toBeUndefined();
    expect(codeProblem('012345')).toBeUndefined();
    for (const wrong of ['12a', '1-2', '١٢٣']) expect(codeProblem(wrong)).toBe('Please enter a valid code');
  });
});
