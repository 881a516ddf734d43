import { describe, expect, it } from 'vitest';
import { viewName } from '#contract/saved-view/saved-view.ts';
import { placementName } from '#contract/tool/tool.ts';
import { codeProblem, displayName, emailProblem, firstMissing, passwordProblem, requirement } from './validation.ts';

describe('fields', () => {
  it('accept emails as the contract defines them', () => {
    for (const right of ['dana@harbor.com', 'a1@b.co.uk', 'd.m-x_y@cafe.store']) expect(emailProblem(right)).toBeUndefined();
    for (const wrong of ['', 'dana', '@b.com', '.a@b.com', 'a@b', 'a@b.museum', 'a b@c.de'])
      expect(emailProblem(wrong)).toBe('Please enter a valid email');
  });

  it('accept new passwords of 8 to 128 characters of any kind', () => {
    expect(passwordProblem('1234567')).toBe('Use at least 8 characters');
    expect(passwordProblem('        ')).toBeUndefined();
    expect(passwordProblem('x'.repeat(128))).toBeUndefined();
    expect(passwordProblem('x'.repeat(129))).toBe('Use at most 128 characters');
  });

  it('report an invalid name, and ask to enter an empty one', () => {
    const messageFor = (schema: Parameters<typeof requirement>[0], name: string) =>
      firstMissing(requirement(schema, name, 'Enter a name.'));
    for (const schema of [displayName, viewName, placementName]) {
      for (const nothing of ['', '   ']) expect(messageFor(schema, nothing)).toBe('Enter a name.');
      expect(messageFor(schema, 'Till')).toBeUndefined();
    }
    expect(messageFor(displayName, 'x'.repeat(31))).toBe('At most 30 characters');
    expect(messageFor(placementName, 'x'.repeat(41))).toBe('At most 40 characters');
    expect(messageFor(viewName, 'x'.repeat(50))).toBe('At most 40 characters');
    expect(messageFor(displayName, 'Till*')).toBe("Names can't contain an asterisk. Try Till.");
  });

  it('accept only digits as a code', () => {
    expect(codeProblem('')).toBeUndefined();
    expect(codeProblem('012345')).toBeUndefined();
    for (const wrong of ['12a', '1-2', '١٢٣']) expect(codeProblem(wrong)).toBe('Please enter a valid code');
  });
});
