import { describe, expect, it } from 'vitest';
import { INITIAL, type LoginDraft, missingOf, type SignInState, signInReducer, type Transition } from './state.ts';

const walk = (...transitions: Transition[]): SignInState => transitions.reduce(signInReducer, INITIAL);
const typed: Transition = { to: 'typed', email: 'dana@acme.com', password: 'correct horse' };

describe('signing in', () => {
  it('goes over verifying back to login, with everything typed still there', () => {
    expect(walk(typed, { to: 'verify' })).toMatchObject({ at: 'verify', email: 'dana@acme.com' });
    expect(walk(typed, { to: 'verify' }, { to: 'email verified' })).toMatchObject({
      at: 'login',
      email: 'dana@acme.com',
      password: 'correct horse',
      notice: expect.stringContaining('verified'),
    });
  });

  it('goes over a forgotten password back to login, the old one forgotten', () => {
    const asked = walk(typed, { to: 'forgot' }, { to: 'code requested' });
    expect(asked).toEqual({ at: 'reset', email: 'dana@acme.com', password: '' });
    expect(signInReducer(asked, { to: 'password reset' })).toMatchObject({
      at: 'login',
      password: '',
      notice: expect.stringContaining('changed'),
    });
  });

  it('jumps to reset with a mailed code, wherever it is', () => {
    const link = { to: 'reset', code: '123456', email: 'sam@acme.com' } as const;
    for (const before of [INITIAL, walk(typed), walk(typed, { to: 'verify' })])
      expect(signInReducer(before, { to: 'link', link })).toEqual({ at: 'reset', email: 'sam@acme.com', password: '', linkCode: '123456' });
  });

  it('keeps no notice and no code once it goes on', () => {
    const withNotice = walk(typed, { to: 'password reset' });
    expect(signInReducer(withNotice, { to: 'forgot' })).not.toHaveProperty('notice');
    expect(signInReducer(walk({ to: 'link', link: { to: 'reset', code: '1', email: '' } }), { to: 'login' })).not.toHaveProperty(
      'linkCode',
    );
  });
});

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
