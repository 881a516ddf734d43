import { expect, it } from 'vitest';
import { filledReply } from './saved-reply.ts';

it.each([
  ['Hi {name}, welcome back to {property}!', 'Ann', 'Hi Ann, welcome back to Pier 4!'],
  ['Hi {name}, welcome back to {property}!', undefined, 'Hi, welcome back to Pier 4!'],
  ['Thank you, {name}.', undefined, 'Thank you.'],
  ['{name}, {name}', '{property} $& $$', '{property} $& $$, {property} $& $$'],
  ['{visitor} stays', 'Ann', '{visitor} stays'],
])('fills %s for %s', (reply, name, expected) => {
  expect(filledReply(reply, { name, property: 'Pier 4' })).toBe(expected);
});
