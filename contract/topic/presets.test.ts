import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TAGS } from '../language/languages.ts';
import { PRESET_TOPICS } from './preset.ts';
import { PRESET_PHRASES, PRESETS } from './presets.ts';
import { BUSINESS_TYPES, topicPhrase } from './topic.ts';

const ALPHABETIC = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

describe.each(LANGUAGE_TAGS)('the built-in phrases in %s', (tag) => {
  const phrases = PRESET_TOPICS.flatMap((topic) => PRESET_PHRASES[tag][topic]);

  it('are what a topic may have, each once', () => {
    for (const phrase of phrases) expect(v.parse(topicPhrase, phrase)).toBe(phrase);
    expect(phrases.filter((phrase, index) => phrases.indexOf(phrase) !== index)).toEqual([]);
    for (const topic of PRESET_TOPICS) expect(PRESET_PHRASES[tag][topic].length, topic).toBeGreaterThanOrEqual(4);
  });

  it('contain only words, with stems that catch few others', () => {
    for (const phrase of phrases) {
      expect(phrase).toMatch(/^[\p{L}\p{M}' ’\u200c-]+\*?$/u);
      const [stem = ''] = /[^ ]+(?=\*$)/.exec(phrase) ?? [];
      if (ALPHABETIC.test(stem)) expect(stem.length, phrase).toBeGreaterThanOrEqual(4);
    }
  });
});

it.each(BUSINESS_TYPES)('a %s starts with different topics', (type) => {
  expect(new Set(PRESETS[type]).size).toBe(PRESETS[type].length);
});
