import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accentFor, contrast } from './colors.ts';

const SURFACES = { light: ['#ffffff', '#f6f6f3'], dark: ['#1a1a1e', '#121215'] } as const;

describe('an accent', () => {
  it('can be read in both themes, and text can be read on it, whatever color was chosen', () => {
    const color = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
    fc.assert(
      fc.property(color, fc.constantFrom('light' as const, 'dark' as const), (chosen, theme) => {
        const { accent, onAccent } = accentFor(chosen, theme);
        for (const surface of SURFACES[theme]) expect(contrast(accent, surface)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(accent, onAccent)).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['#0a5563', 'light', '#0a5563', '#ffffff'],
    ['#ffd400', 'light', '#856e00', '#ffffff'],
    ['#ffd400', 'dark', '#ffd400', '#14141a'],
    ['#000000', 'dark', '#858585', '#14141a'],
  ] as const)('of %s in the %s theme is %s with %s on it', (color, theme, accent, onAccent) => {
    expect(accentFor(color, theme)).toEqual({ accent, onAccent });
  });

  it('has the contrast of WCAG’s examples', () => {
    expect(contrast('#000000', '#ffffff')).toBe(21);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  });
});
