import { describe, expect, it } from 'vitest';
import { circlesIn } from './circles.ts';
import { RULES } from './rules.ts';
import { readSources, toSource } from './sources.ts';

const sources = readSources();

describe('the walls between the parts', () => {
  it('are looked for in the whole tree', () => {
    expect(sources.length).toBeGreaterThan(100);
  });

  it.each(RULES.map((rule) => [rule.name, rule] as const))('%s', (_name, { check }) => {
    const found = sources.flatMap((source) => check(source).map((message) => `${source.file} ${message}`));
    expect(found).toEqual([]);
  });

  it.each(RULES.map((rule) => [rule.name, rule] as const))('would be seen broken: %s', (_name, { check, broken }) => {
    expect(check(toSource(broken.file, broken.text))).not.toEqual([]);
  });

  it('let nothing run in a circle', () => {
    expect(circlesIn(sources)).toEqual([]);
    const back = toSource('contract/core/ids.ts', "import type { Account } from '../account/account.ts';");
    expect(circlesIn([back, toSource('contract/account/account.ts', "import { id } from '../core/ids.ts';")])).toHaveLength(1);
  });
});
