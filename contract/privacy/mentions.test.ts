import { describe, expect, it } from 'vitest';
import { mentionsContact } from './mentions.ts';
import { visitorContact } from './privacy.ts';

const mentions = (text: string, typed: string): boolean => {
  const contact = visitorContact(typed);
  if (!contact) throw new Error(`${typed} is no contact`);
  return mentionsContact(text, contact);
};

describe('an email address', () => {
  it.each([
    'ann@example.com',
    'Write to Ann@Example.COM.',
    'Write to ann@example.com, please',
    '<ann@example.com>',
    'mailto:ann@example.com?',
    '“ann@example.com”',
    "'ann@example.com'",
    'Contact me...ann@example.com...or call',
    'b.ann@example.com or ann@example.com',
    'メールはann@example.comです',
    '이메일은 ann@example.com입니다',
  ])('is found in: %s', (text) => expect(mentions(text, 'Ann@example.com')).toBe(true));

  it.each([
    'joann@example.com',
    'b.ann@example.com',
    'b-ann@example.com',
    'b+ann@example.com',
    'o’ann and b_ann@example.com',
    'ann@example.com.br',
    'ann@example.community',
    'ann@example.com-shop.de',
    'ann at example.com',
    'äann@example.com',
    'жann@example.com',
  ])('is not found in: %s', (text) => expect(mentions(text, 'ann@example.com')).toBe(false));
});

describe('a phone number', () => {
  it.each([
    '+49305550188',
    'Call +49 (30) 555-0188, please',
    'call 0049 30 555 01 88.',
    '49.30.555.0188',
    '+49 30 / 555–0188',
    '4930\u00a0555\u00a00188. 5 stars!',
    '٤٩٣٠-٥٥٥٠١٨٨',
    '電話は4930 555 0188です',
  ])('is found in: %s', (text) => expect(mentions(text, '0049 30 5550188')).toBe(true));

  it.each(['30 555 0188', '+49 30 555 01889', '1 49 30 555 0188', '49 30 and 555 0188', '49, 30, 555, 0188', '49 30. 555 0188'])(
    'is not found in: %s',
    (text) => expect(mentions(text, '+49 30 555 0188')).toBe(false),
  );
});
