import { describe, expect, it } from 'vitest';
import { DOC_RULES, readTexts } from './docs.ts';

const texts = readTexts();

describe('the documentation rules', () => {
  it('check the whole tree', () => {
    expect(texts.length).toBeGreaterThan(300);
    expect(texts.filter(({ text }) => text.includes('docs/rules.md#')).length).toBeGreaterThan(30);
  });

  it.each(DOC_RULES.map((rule) => [rule.name, rule] as const))('%s', (_name, { check }) => {
    const violations = texts.flatMap((text) => check(text).map((message) => `${text.file} ${message}`));
    expect(violations).toEqual([]);
  });

  it.each(DOC_RULES.map((rule) => [rule.name, rule] as const))('detects a violation: %s', (_name, { check, broken }) => {
    expect(check(broken)).not.toEqual([]);
  });
});
