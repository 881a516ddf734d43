import { describe, expect, it } from 'vitest';
import { endOf } from './ends.ts';

const refused = (message: string, name = 'NotAuthorizedException') => Object.assign(new Error(message), { name });

describe('a session that is not gone on with', () => {
  it.each([
    ['Refresh Token has been revoked: signed-out', 'You were signed out on another device.'],
    ['Refresh Token has been revoked: password-changed', 'Your password was changed. Sign in with the new one.'],
    ['Refresh Token has been revoked: second-factor-reset', 'Two-step sign-in was turned off for you, so you were signed out.'],
    ['Refresh Token has expired', 'Your session has expired. Sign in to continue.'],
  ])('%s', (message, said) => {
    expect(endOf(refused(message))).toBe(said);
  });

  it('in two places, for safety', () => {
    expect(endOf(refused('Refresh token has been used already', 'RefreshTokenReuseException'))).toMatch(/^For your safety/);
  });

  it('is told of in the product’s words only, and not at all where its own browser ended it', () => {
    for (const message of ['Refresh Token has been revoked', 'Refresh Token has been revoked: ???', 'Invalid Refresh Token', ''])
      expect(endOf(refused(message))).toBeUndefined();
    expect(endOf(undefined)).toBeUndefined();
  });
});
