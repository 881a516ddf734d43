import { describe, expect, it } from 'vitest';
import { asSignInError, hostedFailure, SignInError } from './errors.ts';

const thrown = (name: string, message = ''): Error => Object.assign(new Error(message), { name });

describe('asSignInError', () => {
  it.each([
    ['EmptySignInUsername', 'Username cannot be empty'],
    ['EmptySignInPassword', 'Password cannot be empty'],
    ['EmptyConfirmSignUpCode', 'Confirmation code cannot be empty'],
    ['EmptyConfirmResetPasswordConfirmationCode', 'Confirmation code cannot be empty'],
    ['UserUnAuthenticatedException', 'User is not authenticated'],
  ])('has the product’s message for %s', (name, expected) => {
    expect(asSignInError(thrown(name, 'whatever Amplify says today')).message).toBe(expected);
  });

  it('names the email, not a username, for a wrong password', () => {
    const error = thrown('NotAuthorizedException', 'Incorrect username or password.');
    expect(asSignInError(error).message).toBe('Incorrect email or password.');
  });

  it('keeps the service’s message, and has a default', () => {
    expect(asSignInError(thrown('LimitExceededException', 'Attempt limit exceeded')).message).toBe('Attempt limit exceeded');
    expect(asSignInError(thrown('Odd')).message).toBe('Authentication Error');
    expect(asSignInError('not even an error').message).toBe('Authentication Error');
  });

  it('distinguishes offline from refused', () => {
    for (const name of ['NetworkError', 'SyntaxError', 'TimeoutError'])
      expect(asSignInError(thrown(name))).toMatchObject({ isOffline: true, message: 'Network Error' });
    expect(asSignInError(thrown('NotAuthorizedException', 'x')).isOffline).toBe(false);
    expect(asSignInError(thrown('InternalErrorException', 'Something went wrong on our side.'))).toMatchObject({
      isOffline: true,
      message: 'Something went wrong on our side.',
    });
  });

  it('has its own messages for devices', () => {
    const messageFor = (name: string) => asSignInError(thrown(name, 'x'), 'devices').message;
    expect(messageFor('InvalidParameterException')).toBe('Device tracking has not been configured in this User Pool');
    expect(messageFor('UserUnAuthenticatedException')).toBe('The user is not authenticated');
    expect(messageFor('NetworkError')).toBe('Network Error');
    expect(asSignInError(thrown('InvalidParameterException', 'x')).message).toBe('x');
  });

  it('returns a SignInError unchanged', () => {
    const error = new SignInError('already converted');
    expect(asSignInError(error)).toBe(error);
  });
});

describe('hostedFailure', () => {
  it.each<[string, Error, string | undefined, string | undefined]>([
    ['the pool’s reason', thrown('OAuthSignInException', 'x'), 'User is not enabled', 'Single sign-on failed: User is not enabled'],
    [
      'an expired code',
      thrown('OAuthSignInException', 'invalid_grant'),
      undefined,
      'That sign-in has expired or was already used. Please try again.',
    ],
    [
      'a hosted login from another browser',
      thrown('OAuthSignInException', 'An error occurred while validating the state.'),
      undefined,
      'That sign-in started in another browser or has expired. Please try again.',
    ],
    ['no connection', new TypeError('Failed to fetch'), undefined, 'Network Error'],
    ['a canceled login', thrown('OAuthSignInException', 'User cancelled OAuth flow.'), undefined, undefined],
    ['anything else', thrown('OAuthSignInException', 'odd'), undefined, 'Single sign-on failed: odd'],
  ])('returns the message for %s', (_name, error, refused, expected) => {
    expect(hostedFailure(error, refused)).toBe(expected);
  });

  it('shortens the pool’s reason', () => {
    expect(hostedFailure(thrown('x'), 'a'.repeat(5_000))?.length).toBeLessThan(300);
  });
});
