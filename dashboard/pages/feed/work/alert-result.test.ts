import { describe, expect, it } from 'vitest';
import { alertResult } from './alert-result.ts';

describe('the result of an alert', () => {
  it('keeps the details of the server’s decision', () => {
    for (const decision of [
      ...['sent', 'sent in a digest', 'deleted', 'suspected', 'no longer urgent', 'unknown'],
      ...['held: quiet hours until 07:00', 'over 20 this hour: in the digest at 14:00', 'already opened by Dana', 'something new'],
    ])
      expect(alertResult({ decision, devices: 1 })).toBe(decision);
  });

  it('states that no device could show it', () => {
    expect(alertResult({ decision: 'sent', devices: 0 })).toBe('sent by email only; no device shows their notifications');
    expect(alertResult({ devices: 1 })).toBe('being sent');
  });
});
