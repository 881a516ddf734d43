import { describe, expect, it } from 'vitest';
import { nameProblem } from '../../ui/forms/validation.ts';
import { type AccountDraft, EMPTY, missingOf } from './account-draft.ts';

const GOOD: AccountDraft = {
  companyName: 'Harbor Coffee',
  displayName: 'Dana Moss',
  email: 'dana@harbor.com',
  password: '12345678',
  hasAccepted: true,
};

describe('Create account', () => {
  it('is enabled only when company, name, email, password and terms all pass', () => {
    expect(missingOf(GOOD)).toBeUndefined();
    const wrong: Partial<AccountDraft>[] = [
      { companyName: '' },
      { companyName: '   ' },
      { companyName: 'x'.repeat(31) },
      { displayName: 'Dana & Co' },
      { email: 'dana' },
      { password: '1234567' },
      { hasAccepted: false },
    ];
    for (const change of wrong) expect(missingOf({ ...GOOD, ...change }), JSON.stringify(change)).toBeDefined();
  });

  it('names the missing and invalid fields', () => {
    expect(missingOf(EMPTY)).toBe(
      'Still needed: your company’s name, your name, your email address, a password of 8 or more characters, and your consent to the Terms of Service.',
    );
    expect(missingOf({ ...GOOD, email: '' })).toBe('Still needed: your email address.');
    expect(missingOf({ ...GOOD, hasAccepted: false })).toBe('Still needed: your consent to the Terms of Service.');
    expect(missingOf({ ...GOOD, displayName: 'Zoe O’Brien' })).toBe('Check your name.');
    expect(missingOf({ ...GOOD, companyName: 'Salt & Co', email: 'ann@', password: 'short' })).toBe(
      'Check your company’s name, your email address, and your password.',
    );
    expect(missingOf({ ...EMPTY, companyName: 'Salt & Co', hasAccepted: true })).toBe(
      'Still needed: your name, your email address, and a password of 8 or more characters. Check your company’s name.',
    );
  });

  it('accepts names of 1 to 30 letters, digits, spaces, underscores and hyphens', () => {
    for (const right of ['a', 'Pier 4', 'snake_case', 'x-y', 'Café', '東京', 'x'.repeat(30)]) expect(nameProblem(right)).toBeUndefined();
    expect(nameProblem('x'.repeat(31))).toBe('At most 30 characters');
    expect(nameProblem('Salt & Co')).toBe("Names can't contain an ampersand. Try Salt and Co.");
    expect(nameProblem(' ')).toBe('Please fill this in');
  });
});
