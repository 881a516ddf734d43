import { describe, expect, it } from 'vitest';
import { asSignInError, hostedFailure, SignInError } from './errors.ts';

const thrown = (name: string, message = ''): Error => Object.assign(new Error(message), { name });

describe('the words of signing in', () => {
  it.each([
    ['EmptySignInUsername', 'Username cannot be empty'],
    ['EmptySignInPassword', 'Password cannot be empty'],
    ['EmptyConfirmSignUpCode', 'Confirmation code cannot be empty'],
    ['EmptyConfirmResetPasswordConfirmationCode', 'Confirmation code cannot be empty'],
    ['UserUnAuthenticatedException', 'User is not authenticated'],
  ])('says for %s what the product says', (name, words) => {
    expect(asSignInError(thrown(name, 'whatever Amplify says today')).message).toBe(words);
  });

  it('calls a wrong password by the address', () => {
    const error = thrown('NotAuthorizedException', 'Incorrect username or password.');
    expect(asSignInError(error).message).toBe('Incorrect email or password.');
  });

  it('lets the service’s own message pass, and has one where there is none', () => {
    expect(asSignInError(thrown('LimitExceededException', 'Attempt limit exceeded')).message).toBe('Attempt limit exceeded');
    expect(asSignInError(thrown('Odd')).message).toBe('Authentication Error');
    expect(asSignInError('not even an error').message).toBe('Authentication Error');
  });

  it('tells being offline from being refused', () => {
    for (const name of ['NetworkError', 'SyntaxError', 'TimeoutError'])
      expect(asSignInError(thrown(name))).toMatchObject({ isOffline: true, message: 'Network Error' });
    expect(asSignInError(thrown('NotAuthorizedException', 'x')).isOffline).toBe(false);
    expect(asSignInError(thrown('InternalErrorException', 'Something went wrong on our side.'))).toMatchObject({
      isOffline: true,
      message: 'Something went wrong on our side.',
    });
  });

  it('has words of its own for devices', () => {
    const asked = (name: string) => asSignInError(thrown(name, 'x'), 'devices').message;
    expect(asked('InvalidParameterException')).toBe('Device tracking has not been configured in this User Pool');
    expect(asked('UserUnAuthenticatedException')).toBe('The user is not authenticated');
    expect(asked('NetworkError')).toBe('Network Error');
    expect(asSignInError(thrown('InvalidParameterException', 'x')).message).toBe('x');
  });

  it('says a thing once', () => {
    const error = new SignInError('said already');
    expect(asSignInError(error)).toBe(error);
  });
});

describe('the words of a hosted login that did not work', () => {
  it.each<[string, Error, string | undefined, string | undefined]>([
    ['the pool’s reason', thrown('OAuthSignInException', 'x'), 'User is not enabled', 'Single sign-on failed: User is not enabled'],
    [
      'an old code',
      thrown('OAuthSignInException', 'invalid_grant'),
      undefined,
      'That sign-in has expired or was already used. Please try again.',
    ],
    [
      'somebody else’s answer',
      thrown('OAuthSignInException', 'An error occurred while validating the state.'),
      undefined,
      'That sign-in started in another browser or has expired. Please try again.',
    ],
    ['nobody reached', new TypeError('Failed to fetch'), undefined, 'Network Error'],
    ['coming back by oneself', thrown('OAuthSignInException', 'User cancelled OAuth flow.'), undefined, undefined],
    ['anything else', thrown('OAuthSignInException', 'odd'), undefined, 'Single sign-on failed: odd'],
  ])('say %s', (_name, error, refused, words) => {
    expect(hostedFailure(error, refused)).toBe(words);
  });

  it('are no page of a stranger’s words', () => {
    expect(hostedFailure(thrown('x'), 'a'.repeat(5_000))?.length).toBeLessThan(300);
  });
});
