import { describe, expect, it } from 'vitest';
import { SignInError } from '../session/errors.ts';
import { CallError, fieldProblem, inWords, isRefused, UNREACHED } from './errors.ts';

const refused = new CallError('Please fix the highlighted input', {
  status: 400,
  code: 'bad-input',
  errors: [{ path: 'payload.data.emailAddress', message: 'Please enter a valid email' }],
});

describe('a failure in words', () => {
  it('is the service’s own where there was an answer', () => {
    expect(inWords(refused)).toBe('Please fix the highlighted input');
    expect(inWords(new SignInError('User is disabled.'))).toBe('User is disabled.');
  });

  it('is about the network where there was none', () => {
    expect(inWords(new CallError('Failed to fetch'))).toBe(UNREACHED);
    expect(inWords(new SignInError('Network Error', true))).toBe(UNREACHED);
    expect(inWords(new DOMException('signal timed out', 'TimeoutError'))).toBe(UNREACHED);
  });

  it('never shows a bug’s own words', () => {
    expect(inWords(new TypeError('x is undefined'))).toBe('Something went wrong. Please try again.');
    expect(inWords(undefined)).toBe('Something went wrong. Please try again.');
  });

  it('belongs to a field where the server names one', () => {
    expect(fieldProblem(refused, 'emailAddress')).toBe('Please enter a valid email');
    expect(fieldProblem(refused, 'Address')).toBeUndefined();
    expect(fieldProblem(new Error('x'), 'emailAddress')).toBeUndefined();
  });

  it('tells a conflict from the rest', () => {
    expect(isRefused(new CallError('x', { status: 409, code: 'conflict' }), 'conflict')).toBe(true);
    expect(isRefused(refused, 'conflict')).toBe(false);
  });
});
