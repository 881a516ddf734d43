import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');

/** Returns the colors of a scheme by name. */
function tokensOf(scheme: 'light' | 'dark'): Record<string, string> {
  const [, block = ''] = new RegExp(`\\[data-mantine-color-scheme="${scheme}"\\] \\{([^}]*)\\}`).exec(css) ?? [];
  return Object.fromEntries([...block.matchAll(/--c-([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]));
}

/** Returns the relative luminance of a color (WCAG 2.2). */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Returns the contrast ratio of two colors (WCAG 2.2). */
function contrast(front: string, ground: string): number {
  const [dark = 0, light = 0] = [luminance(front), luminance(ground)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const GROUNDS = ['canvas', 'surface', 'raised', 'hover', 'selected'];
/** The color pairs in use with their least contrast: 4.5 for text, 3 for graphics. */
const PAIRS: readonly (readonly [front: string, grounds: readonly string[], least: number])[] = [
  ['text', GROUNDS, 4.5],
  ['text-2', GROUNDS, 4.5],
  ['text-3', GROUNDS, 4.5],
  ['accent', GROUNDS, 4.5],
  ['danger-text', [...GROUNDS, 'danger-soft'], 4.5],
  ['warn-text', ['warn-soft'], 4.5],
  ['ok-text', ['ok-soft'], 4.5],
  ['on-accent', ['accent', 'accent-hover'], 4.5],
  ['on-accent-soft', ['accent-soft'], 4.5],
  ['on-danger', ['danger'], 4.5],
  ['control', ['canvas', 'surface', 'raised'], 3],
  ...['r1', 'r2', 'r3', 'r4', 'r5'].map((rating) => [rating, ['surface'], 3] as const),
];

describe.each(['light', 'dark'] as const)('the %s colors', (scheme) => {
  const tokens = tokensOf(scheme);
  const pairs = PAIRS.flatMap(([front, grounds, least]) => grounds.map((ground) => [front, ground, least] as const));

  it.each(pairs)('%s on %s has enough contrast', (front, ground, least) => {
    expect(contrast(tokens[front] ?? '', tokens[ground] ?? '')).toBeGreaterThanOrEqual(least);
  });
});
