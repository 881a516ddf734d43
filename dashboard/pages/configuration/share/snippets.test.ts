import { expect, it } from 'vitest';
import { RATING_WORDS, RATINGS } from '#contract/feedback/rating.ts';
import { mailSnippet, plainMailSnippet, websiteSnippet } from './snippets.ts';

const mail = {
  text: 'How was <it> & us?',
  words: RATINGS.map((rating) => RATING_WORDS[rating]),
  direction: 'ltr',
  addressOf: (rating: number) => `https://feedback.example/feedback/FORM_Pier04?rating=${rating}&at=PierTill01`,
} as const;

it('writes a link that works alone, and a script', () => {
  expect(
    websiteSnippet({
      look: 'button',
      address: 'https://feedback.example/feedback/FORM_Pier04?at=PierTill01&lang=de',
      text: '"Rate" <us> & them',
      script: 'https://feedback.example/embed.js',
    }),
  ).toBe(
    '<a href="https://feedback.example/feedback/FORM_Pier04?at=PierTill01&amp;lang=de" data-afterword="button">&quot;Rate&quot; &lt;us&gt; &amp; them</a>\n' +
      '<script async src="https://feedback.example/embed.js"></script>',
  );
});

it('writes a mail with a named link for each face, and nothing to load', () => {
  const html = mailSnippet(mail);
  expect(html).toContain('How was &lt;it&gt; &amp; us?');
  expect(html).not.toMatch(/<img|src=|url\(/);
  const links = [...html.matchAll(/<a href="([^"]+)"[^>]*>.*?<br>([^<]+)<\/a>/g)].map(([, address, word]) => `${word} ${address}`);
  expect(links).toEqual(
    RATINGS.map((rating) => `${RATING_WORDS[rating]} https://feedback.example/feedback/FORM_Pier04?rating=${rating}&amp;at=PierTill01`),
  );
});

it('writes the same mail without HTML', () => {
  expect(plainMailSnippet(mail).split('\n').slice(0, 3)).toEqual(['How was <it> & us?', '', `1 Awful: ${mail.addressOf(1)}`]);
});
