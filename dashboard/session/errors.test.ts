import { describe, expect, it } from 'vitest';
import { asSignInError, SignInError } from './errors.ts';

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
