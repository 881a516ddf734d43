/* Colors of a brand that everyone can read (WCAG 2.2, 1.4.3 and 1.4.11). Without imports, so that a tablet's page stays small. */

/** A color as `#rrggbb`. */
export const HEX_COLOR = /^#[0-9a-f]{6}$/;

export type ThemeName = 'light' | 'dark';

/** An accent, and the color of text on it. */
export interface AccentColors {
  readonly accent: string;
  readonly onAccent: string;
}

type Rgb = readonly [number, number, number];

/** The surfaces of form/colors.css on which the accent is text, and the color that it is mixed with until it can be read there. */
const THEMES: Readonly<Record<ThemeName, { readonly surfaces: readonly string[]; readonly toward: Rgb }>> = {
  light: { surfaces: ['#ffffff', '#f6f6f3'], toward: [0, 0, 0] },
  dark: { surfaces: ['#1a1a1e', '#121215'], toward: [255, 255, 255] },
};
const [INK, PAPER] = ['#14141a', '#ffffff'];
/** The contrast of text. It covers focus rings and borders, which need 3. */
const LEAST_CONTRAST = 4.5;
/** A step of mixing. Finer ones can't be seen. */
const STEP = 0.02;

/** The accents of form/colors.css, for an account without a color. */
export const STANDARD_ACCENTS: Readonly<Record<ThemeName, AccentColors>> = {
  light: { accent: '#3d4cc2', onAccent: '#ffffff' },
  dark: { accent: '#a3aeff', onAccent: '#14163a' },
};

/** Returns an accent for a theme: the chosen color, mixed with black or white as far as needed. */
export function accentFor(color: string, theme: ThemeName): AccentColors {
  const { surfaces, toward } = THEMES[theme];
  const chosen = rgbOf(color);
  let accent = color;
  for (let share = STEP; !isReadable(accent, surfaces) && share <= 1; share += STEP) accent = hexOf(mixed(chosen, toward, share));
  return { accent, onAccent: contrast(PAPER, accent) >= contrast(INK, accent) ? PAPER : INK };
}

const isReadable = (color: string, surfaces: readonly string[]): boolean =>
  surfaces.every((surface) => contrast(color, surface) >= LEAST_CONTRAST);

/** Returns the contrast of two colors, from 1 to 21 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio). */
export function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = rgbOf(color).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const rgbOf = (color: string): Rgb => {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

const mixed = (from: Rgb, to: Rgb, share: number): number[] =>
  from.map((part, index) => Math.round(part + ((to[index] ?? 0) - part) * share));

const hexOf = (parts: readonly number[]): string => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
