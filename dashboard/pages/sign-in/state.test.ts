import { describe, expect, it } from 'vitest';
import { INITIAL, type LoginDraft, missingOf, noticeOf, placeOf, type SignInState, signInReducer, type Transition } from './state.ts';

const walk = (...transitions: Transition[]): SignInState => transitions.reduce(signInReducer, INITIAL);
const typed: Transition = { to: 'typed', email: 'dana@acme.com', password: 'correct horse' };

describe('signing in', () => {
  it('keeps the password while the email is verified', () => {
    expect(walk(typed, { to: 'verify' })).toMatchObject({ at: 'verify', email: 'dana@acme.com', password: 'correct horse' });
  });

  it('follows the history, which has no password', () => {
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

  it('returns to login after a reset, without the old password', () => {
    const requested = walk(typed, { to: 'forgot' }, { to: 'code requested' });
    expect(requested).toEqual({ at: 'reset', email: 'dana@acme.com', password: '' });
    const reset = signInReducer(requested, { to: 'password reset' });
    expect(reset).toMatchObject({ at: 'login', password: '' });
    expect(noticeOf(reset)).toContain('changed');
  });

  it('jumps to reset with an emailed code, from any view', () => {
    const link = { to: 'reset', code: '123456', email: 'sam@acme.com' } as const;
    for (const before of [INITIAL, walk(typed), walk(typed, { to: 'verify' })])
      expect(signInReducer(before, { to: 'link', link })).toEqual({ at: 'reset', email: 'sam@acme.com', password: '', linkCode: '123456' });
  });

  it('drops the notice and the code when the view changes', () => {
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
  it('is disabled with a reason while a field is empty or invalid', () => {
    expect(missingOf(draft({ email: '', password: '' }))).toBe('Enter your email and password to sign in.');
    expect(missingOf(draft({ email: '' }))).toBe('Enter your email to sign in.');
    expect(missingOf(draft({ password: '' }))).toBe('Enter your password to sign in.');
    expect(missingOf(draft({ email: 'dana', isWrong: true }))).toBe('Please fix the highlighted input');
  });

  it('is disabled after a refusal until something changes', () => {
    expect(missingOf(draft({ isRefused: true }))).toBe('Change your email or password to try again.');
  });

  it('is enabled when both fields are filled', () => {
    expect(missingOf(draft())).toBeUndefined();
    expect(missingOf(draft({ isWrong: true }))).toBeUndefined();
  });
});
