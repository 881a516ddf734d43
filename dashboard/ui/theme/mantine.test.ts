import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');
const inMantine = (file: string): URL => new URL(`../../../node_modules/@mantine/core/${file}`, import.meta.url);

/** The Mantine components that are re-exported. */
const exported = ['mantine.ts', '../layers/overlays.ts'].flatMap((file) =>
  [...(/export \{([^}]*)\} from '@mantine\/core'/.exec(read(file))?.[1] ?? '').matchAll(/\w+/g)].map(([name]) => name),
);
// Toasts use Notification.
const used = [...exported, 'Notification'];
const sheets = new Set([...read('mantine.css').matchAll(/styles\/(\w+)\.layer\.css/g)].map(([, name]) => name));

/** Returns a component with the components it imports. */
function dependenciesOf(name: string, seen = new Set<string>()): Set<string> {
  const file = inMantine(`esm/components/${name}/${name}.mjs`);
  if (seen.has(name) || !existsSync(file)) return seen;
  seen.add(name);
  for (const [, part = ''] of readFileSync(file, 'utf8').matchAll(/from "\.\.\/(\w+)\//g)) dependenciesOf(part, seen);
  return seen;
}

describe('Mantine’s styles', () => {
  it('are found for the test', () => {
    expect(exported.length).toBeGreaterThan(10);
    expect(dependenciesOf('Menu')).toContain('Popover');
  });

  it.each(used)('are imported for %s and its parts', (name) => {
    const needed = [...dependenciesOf(name)].filter((part) => existsSync(inMantine(`styles/${part}.layer.css`)));
    expect(needed.filter((part) => !sheets.has(part))).toEqual([]);
  });

  it('are imported for toasts', () => {
    expect(read('mantine.css')).toContain('@mantine/notifications/styles.layer.css');
  });
});
