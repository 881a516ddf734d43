import { describe, expect, it } from 'vitest';
import { MOST_MESSAGES } from '#contract/conversation/messages.ts';
import { forecast, obstacle, reachWords } from './reply-words.ts';

const message = { id: 'CONVERSATIONMESSAGE_a1B2c3', text: 'Sorry!', sent: 1 };

describe('forecast', () => {
  it.each([
    [{ reply: 'received' }, 'messages'],
    [{ reply: 'sent', contact: { email: 'ann@example.com' } }, 'messages'],
    [{ contact: { email: 'ann@example.com', phone: '555-0100' } }, 'field'],
    [{ contact: { phone: '555-0100' } }, 'line'],
    [{}, 'line'],
  ] as const)('%j announces %s', (data, expected) => {
    expect(forecast(data)).toBe(expected);
  });
});

describe('reachWords', () => {
  it('names the page, the email, or both', () => {
    expect([reachWords(['page']), reachWords(['email']), reachWords(['page', 'email'])]).toEqual([
      'The visitor sees this on their private page.',
      'The visitor gets this by email.',
      'The visitor sees this on their private page, and by email.',
    ]);
  });
});

describe('obstacle', () => {
  it('is missing while a reply reaches the visitor', () => {
    expect(obstacle({ reach: ['page'], messages: [] })).toBeUndefined();
    expect(obstacle({ reach: ['email'], messages: Array(MOST_MESSAGES - 1).fill(message) })).toBeUndefined();
  });

  it('is that there is no address, that the link has expired, or that the conversation is full', () => {
    expect(obstacle({ reach: [], messages: [] })).toContain('left no email address');
    expect(obstacle({ reach: [], messages: [] }, 'jürgen@müller.example')).toContain('can’t send email');
    expect(obstacle({ reach: [], messages: [message] })).toContain('has expired');
    expect(obstacle({ reach: ['page'], messages: Array(MOST_MESSAGES).fill(message) })).toContain('at most 100 messages');
  });
});
