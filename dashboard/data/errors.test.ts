import { describe, expect, it } from 'vitest';
import { SignInError } from '../session/errors.ts';
import { CallError, fieldMessageOf, isRefused, messageOf, UNREACHABLE } from './errors.ts';

const refused = new CallError('Please fix the highlighted input', {
  status: 400,
  code: 'bad-input',
  errors: [{ path: 'payload.data.emailAddress', message: 'Please enter a valid email' }],
});

describe('the message of a failure', () => {
  it('is the service’s own when it responded', () => {
    expect(messageOf(refused)).toBe('Please fix the highlighted input');
    expect(messageOf(new SignInError('User is disabled.'))).toBe('User is disabled.');
  });

  it('is about the network when nothing responded', () => {
    expect(messageOf(new CallError('Failed to fetch'))).toBe(UNREACHABLE);
    expect(messageOf(new SignInError('Network Error', { isOffline: true }))).toBe('Network Error');
    expect(messageOf(new DOMException('signal timed out', 'TimeoutError'))).toBe(UNREACHABLE);
  });

  it('hides the text of a bug', () => {
    expect(messageOf(new TypeError('x is undefined'))).toBe('Something went wrong. Please try again.');
    expect(messageOf(undefined)).toBe('Something went wrong. Please try again.');
  });

  it('is shown at the field that the server names', () => {
    expect(fieldMessageOf(refused, 'emailAddress')).toBe('Please enter a valid email');
    expect(fieldMessageOf(refused, 'Address')).toBeUndefined();
    expect(fieldMessageOf(new Error('x'), 'emailAddress')).toBeUndefined();
  });

  it('has a code, such as for a conflict', () => {
    expect(isRefused(new CallError('x', { status: 409, code: 'conflict' }), 'conflict')).toBe(true);
    expect(isRefused(refused, 'conflict')).toBe(false);
  });
});
