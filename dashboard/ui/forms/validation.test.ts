import { describe, expect, it } from 'vitest';
import { viewName } from '#contract/saved-view/saved-view.ts';
import { placementName } from '#contract/tool/tool.ts';
import { codeProblem, displayName, emailProblem, firstMissing, passwordProblem, unfit } from './validation.ts';

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

  it('say what is wrong with a name, and to enter one only where there is none', () => {
    const said = (schema: Parameters<typeof unfit>[0], name: string) => firstMissing(unfit(schema, name, 'Enter a name.'));
    for (const schema of [displayName, viewName, placementName]) {
      for (const nothing of ['', '   ']) expect(said(schema, nothing)).toBe('Enter a name.');
      expect(said(schema, 'Till')).toBeUndefined();
    }
    expect(said(displayName, 'x'.repeat(31))).toBe('At most 30 characters');
    expect(said(placementName, 'x'.repeat(41))).toBe('At most 40 characters');
    expect(said(viewName, 'x'.repeat(50))).toBe('At most 40 characters');
    expect(said(displayName, 'Till*')).toBe("Names can't contain an asterisk. Try Till.");
  });

  it('take digits as a code', () => {
    expect(codeProblem('')).toBeUndefined();
    expect(codeProblem('012345')).toBeUndefined();
    for (const wrong of ['12a', '1-2', '١٢٣']) expect(codeProblem(wrong)).toBe('Please enter a valid code');
  });
});
