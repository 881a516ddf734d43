import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { characterProblem, compareNames } from './names.ts';
import { displayName } from './schema.ts';

it.each([
  ["Zoë O'Brien", "Names can't contain an apostrophe. Try Zoë OBrien."],
  ['Zoe O’Brien', "Names can't contain an apostrophe. Try Zoe OBrien."],
  ['Salt & Co.', "Names can't contain an ampersand. Try Salt and Co."],
  ['Salt&Pepper', "Names can't contain an ampersand. Try Salt and Pepper."],
  ['St. Mary’s', "Names can't contain a period. Try St Marys."],
  ['Smith, Lee + Sons', "Names can't contain a comma. Try Smith Lee and Sons."],
  ['Bar/Grill', "Names can't contain a slash. Try Bar-Grill."],
  ['Moss — Bakery', "Names can't contain a dash. Try Moss - Bakery."],
  ['(The) "Old" Inn!', "Names can't contain a parenthesis. Try The Old Inn."],
  ['Chef 👩‍🍳', "Names can't contain an emoji. Try Chef."],
  ['Café 🇫🇷', "Names can't contain an emoji. Try Café."],
  ['Harbor\u00a0Coffee', "Names can't contain an invisible character. Try Harbor Coffee."],
  ['a\u202eb', "Names can't contain an invisible character. Try ab."],
  ['5° West', "Names can't contain ‘°’. Try 5 West."],
  ['***', "Names can't contain an asterisk."],
  [`${'x'.repeat(29)}&`, `Names can't contain an ampersand.`],
])('refuses %s and suggests the nearest accepted spelling', (name, message) => {
  expect(v.safeParse(displayName, name).issues?.[0]?.message).toBe(message);
});

it('orders names as people do: in any language and case, and numbers by their value', () => {
  const names = ['Zoo', 'Table 10', '東京', 'Ähre', 'table 2', 'apple', 'Żabka'];
  expect(names.toSorted(compareNames)).toEqual(['Ähre', 'apple', 'table 2', 'Table 10', 'Żabka', 'Zoo', '東京']);
});

it('suggests accepted names only', () => {
  const spellings = fc.string({ unit: 'grapheme', maxLength: 40 }).map((name) => / Try (.*)\.$/s.exec(characterProblem(name) ?? '')?.[1]);
  fc.assert(fc.property(spellings, (spelling) => spelling === undefined || v.parse(displayName, spelling) === spelling));
});
