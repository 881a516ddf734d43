import { describe, expect, it } from 'vitest';
import { importCycles } from './import-cycles.ts';
import { RULES } from './rules.ts';
import { readSources, toSource } from './sources.ts';

const sources = readSources();

describe('the architecture rules', () => {
  it('check the whole tree', () => {
    expect(sources.length).toBeGreaterThan(100);
  });

  it.each(RULES.map((rule) => [rule.name, rule] as const))('%s', (_name, { check }) => {
    const violations = sources.flatMap((source) => check(source).map((message) => `${source.file} ${message}`));
    expect(violations).toEqual([]);
  });

  it.each(RULES.map((rule) => [rule.name, rule] as const))('detects a violation: %s', (_name, { check, broken }) => {
    expect(check(toSource(broken.file, broken.text))).not.toEqual([]);
  });

  it('allow no import cycle', () => {
    expect(importCycles(sources)).toEqual([]);
    const cyclic = toSource('contract/core/ids.ts', "import type { Account } from '../account/account.ts';");
    expect(importCycles([cyclic, toSource('contract/account/account.ts', "import { id } from '../core/ids.ts';")])).toHaveLength(1);
  });
});
