import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');
const inKit = (file: string): URL => new URL(`../../../node_modules/@mantine/core/${file}`, import.meta.url);

/** The kit's parts that are given out. */
const given = ['mantine.ts', '../layers/overlays.ts'].flatMap((file) =>
  [...(/export \{([^}]*)\} from '@mantine\/core'/.exec(read(file))?.[1] ?? '').matchAll(/\w+/g)].map(([name]) => name),
);
// What the kit's toasts are made of.
const drawn = [...given, 'Notification'];
const sheets = new Set([...read('mantine.css').matchAll(/styles\/(\w+)\.layer\.css/g)].map(([, name]) => name));

/** A part with the parts that it is made of, by its imports. */
function dependenciesOf(name: string, seen = new Set<string>()): Set<string> {
  const file = inKit(`esm/components/${name}/${name}.mjs`);
  if (seen.has(name) || !existsSync(file)) return seen;
  seen.add(name);
  for (const [, part = ''] of readFileSync(file, 'utf8').matchAll(/from "\.\.\/(\w+)\//g)) dependenciesOf(part, seen);
  return seen;
}

describe('the kit’s styles', () => {
  it('are looked for', () => {
    expect(given.length).toBeGreaterThan(10);
    expect(dependenciesOf('Menu')).toContain('Popover');
  });

  it.each(drawn)('are there for %s and what it is made of', (name) => {
    const needed = [...dependenciesOf(name)].filter((part) => existsSync(inKit(`styles/${part}.layer.css`)));
    expect(needed.filter((part) => !sheets.has(part))).toEqual([]);
  });

  it('are there for toasts', () => {
    expect(read('mantine.css')).toContain('@mantine/notifications/styles.layer.css');
  });
});
