import { describe, expect, it } from 'vitest';
import { endMessageOf } from './end-message.ts';

const refused = (message: string, name = 'NotAuthorizedException') => Object.assign(new Error(message), { name });

describe('the message for an ended session', () => {
  it.each([
    ['Refresh Token has been revoked: signed-out', 'You were signed out on another device.'],
    ['Refresh Token has been revoked: password-changed', 'Your password was changed. Sign in with the new one.'],
    ['Refresh Token has been revoked: second-factor-reset', 'Two-step sign-in was turned off for you, so you were signed out.'],
    ['Refresh Token has expired', 'Your session has expired. Sign in to continue.'],
  ])('%s', (message, expected) => {
    expect(endMessageOf(refused(message))).toBe(expected);
  });

  it('explains a reused refresh token', () => {
    expect(endMessageOf(refused('Refresh token has been used already', 'RefreshTokenReuseException'))).toMatch(/^For your safety/);
  });

  it('is missing for unknown reasons and for a sign-out in this browser', () => {
    for (const message of ['Refresh Token has been revoked', 'Refresh Token has been revoked: ???', 'Invalid Refresh Token', ''])
      expect(endMessageOf(refused(message))).toBeUndefined();
    expect(endMessageOf(undefined)).toBeUndefined();
  });
});
