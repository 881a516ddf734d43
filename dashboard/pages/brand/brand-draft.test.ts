import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { BRAND_DRAFT, type BrandDraft, changesBetween, colorsIn, draftOf, logoSize, lookOf } from './brand-draft.ts';

const LOGO = { picture: 'data:image/webp;base64,AAAA', width: 80, height: 40, alt: 'Harbor Cafés' };
const NONE: BrandDraft = draftOf({ corners: 'soft' });
const FULL: BrandDraft = { accent: '#0a5563', corners: 'round', logo: LOGO };

/** Returns the wrong fields. */
const problemsOf = (draft: BrandDraft) => v.safeParse(BRAND_DRAFT, draft).issues?.map((issue) => v.getDotPath(issue)) ?? [];

describe('a draft of a brand', () => {
  it('needs a color and a described logo, or neither', () => {
    expect(problemsOf(NONE)).toEqual([]);
    expect(problemsOf(FULL)).toEqual([]);
    expect(problemsOf({ ...FULL, accent: 'teal' })).toEqual(['accent']);
    expect(problemsOf({ ...FULL, logo: { ...LOGO, alt: ' ' } })).toEqual(['logo.alt']);
    expect(problemsOf({ ...FULL, logo: { ...LOGO, alt: 'x'.repeat(81) } })).toEqual(['logo.alt']);
  });

  it('sends only what changed', () => {
    const { picture, alt } = LOGO;
    expect(changesBetween(FULL, FULL)).toEqual({});
    expect(changesBetween(NONE, FULL)).toEqual({ accent: '#0a5563', corners: 'round', logo: { picture, alt } });
    expect(changesBetween(FULL, NONE)).toEqual({ accent: null, corners: 'soft', logo: null });
    expect(changesBetween(FULL, { ...FULL, logo: { ...LOGO, alt: 'Cafés' } })).toEqual({ logo: { alt: 'Cafés' } });
  });

  it('is previewed with the standard accent until the color is complete', () => {
    expect(lookOf({ ...FULL, accent: '#0a5' }).accent).toBeUndefined();
    expect(lookOf({ ...FULL, accent: ' #0A5563 ' }).accent).toBe('#0a5563');
  });
});

describe('the colors of a theme', () => {
  it('are those of the form’s style without an accent', () => {
    const css = readFileSync(new URL('../../../form/colors.css', import.meta.url), 'utf8');
    const accents = [...css.matchAll(/--accent: (#\w+);/g)].map(([, color]) => color);
    expect(accents).toEqual([colorsIn('light', undefined).accent, colorsIn('dark', undefined).accent]);
  });

  it('are made readable', () => {
    expect(colorsIn('light', '#ffd400').accent).toBe('#856e00');
    expect(colorsIn('dark', '#ffd400').accent).toBe('#ffd400');
  });
});

describe('the size of a logo', () => {
  it.each([
    [400, 112, 200, 56],
    [800, 100, 200, 25],
    [600, 600, 56, 56],
    [60, 40, 30, 20],
  ])('of %i × %i px is %i × %i', (width, height, ...size) => {
    expect(Object.values(logoSize({ width, height }))).toEqual(size);
  });
});
