import { describe, expect, it } from 'vitest';
import { type LoginDraft, missingOf } from './login.ts';

const draft = (given: Partial<LoginDraft> = {}): LoginDraft => ({ email: 'dana@acme.com', password: 'secret', isWrong: false, ...given });

describe('Sign in', () => {
  it('is off while a field is empty or an error is showing, and says why', () => {
    expect(missingOf(draft({ email: '', password: '' }))).toBe('Enter your email and password to sign in.');
    expect(missingOf(draft({ email: '' }))).toBe('Enter your email to sign in.');
    expect(missingOf(draft({ password: '' }))).toBe('Enter your password to sign in.');
    expect(missingOf(draft({ email: 'dana', isWrong: true }))).toBe('Please fix the highlighted input');
  });

  it('is on when both are there', () => {
    expect(missingOf(draft())).toBeUndefined();
    expect(missingOf(draft({ isWrong: true }))).toBeUndefined();
  });
});
