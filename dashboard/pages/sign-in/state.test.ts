import { describe, expect, it } from 'vitest';
import { INITIAL, type LoginDraft, missingOf, noticeOf, placeOf, type SignInState, signInReducer, type Transition } from './state.ts';

const walk = (...transitions: Transition[]): SignInState => transitions.reduce(signInReducer, INITIAL);
const typed: Transition = { to: 'typed', email: 'dana@acme.com', password: 'correct horse' };

describe('signing in', () => {
  it('keeps the password while the email is verified', () => {
    expect(walk(typed, { to: 'verify' })).toMatchObject({ at: 'verify', email: 'dana@acme.com', password: 'correct horse' });
  });

  it('follows the history, which knows no password', () => {
    const verifying = walk(typed, { to: 'verify' });
    const place = placeOf(verifying);
    expect(place).toEqual({ at: 'verify', email: 'dana@acme.com' });
    expect(signInReducer(verifying, { to: 'place', place })).toBe(verifying);
    expect(signInReducer(verifying, { to: 'place', place: undefined })).toEqual({
      at: 'login',
      email: 'dana@acme.com',
      password: 'correct horse',
    });
    expect(signInReducer(INITIAL, { to: 'place', place })).toEqual({ ...place, password: '' });
    expect(signInReducer(INITIAL, { to: 'place', place: { at: 'totp', email: 'dana@acme.com' } })).toMatchObject({ at: 'login' });
    const confirmed = signInReducer(INITIAL, { to: 'place', place: { at: 'login', email: 'dana@acme.com', news: 'confirmed' } });
    expect([confirmed.email, noticeOf(confirmed)]).toEqual(['dana@acme.com', 'Email confirmed. Sign in to continue.']);
  });

  it('goes over a forgotten password back to login, the old one forgotten', () => {
    const asked = walk(typed, { to: 'forgot' }, { to: 'code requested' });
    expect(asked).toEqual({ at: 'reset', email: 'dana@acme.com', password: '' });
    const reset = signInReducer(asked, { to: 'password reset' });
    expect(reset).toMatchObject({ at: 'login', password: '' });
    expect(noticeOf(reset)).toContain('changed');
  });

  it('jumps to reset with a mailed code, wherever it is', () => {
    const link = { to: 'reset', code: '123456', email: 'sam@acme.com' } as const;
    for (const before of [INITIAL, walk(typed), walk(typed, { to: 'verify' })])
      expect(signInReducer(before, { to: 'link', link })).toEqual({ at: 'reset', email: 'sam@acme.com', password: '', linkCode: '123456' });
  });

  it('keeps no notice and no code once it goes on', () => {
    const withNotice = walk(typed, { to: 'password reset' });
    expect(signInReducer(withNotice, { to: 'forgot' })).not.toHaveProperty('news');
    expect(signInReducer(walk({ to: 'link', link: { to: 'reset', code: '1', email: '' } }), { to: 'login' })).not.toHaveProperty(
      'linkCode',
    );
  });
});

const draft = (given: Partial<LoginDraft> = {}): LoginDraft => ({
  email: 'dana@acme.com',
  password: 'secret',
  isWrong: false,
  isRefused: false,
  ...given,
});

describe('Sign in', () => {
  it('is off while a field is empty or an error is showing, and says why', () => {
    expect(missingOf(draft({ email: '', password: '' }))).toBe('Enter your email and password to sign in.');
    expect(missingOf(draft({ email: '' }))).toBe('Enter your email to sign in.');
    expect(missingOf(draft({ password: '' }))).toBe('Enter your password to sign in.');
    expect(missingOf(draft({ email: 'dana', isWrong: true }))).toBe('Please fix the highlighted input');
  });

  it('is off after a refusal, until something is changed', () => {
    expect(missingOf(draft({ isRefused: true }))).toBe('Change your email or password to try again.');
  });

  it('is on when both are there', () => {
    expect(missingOf(draft())).toBeUndefined();
    expect(missingOf(draft({ isWrong: true }))).toBeUndefined();
  });
});
