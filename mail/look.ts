import { createContext } from 'react';
import { accentFor } from '#contract/brand/colors.ts';
import { type BrandLook, DEFAULT_CORNERS, RADII } from '#contract/brand/look.ts';
import { DARK_MODE_CLASSES as dark, LIGHT } from './theme.ts';

/** The look of the business whose visitor gets the email; undefined for an email to the team. */
export const Look = createContext<BrandLook | undefined>(undefined);

/** The radius of a button with the standard corners (px). */
const RADIUS = 8;

/** Returns a button's colors and corners in the light theme. */
export function buttonStyle(look: BrandLook | undefined) {
  const colors = look?.accent === undefined ? LIGHT : accentFor(look.accent, 'light');
  return {
    borderRadius: `${RADIUS * RADII[look?.corners ?? DEFAULT_CORNERS]}px`,
    backgroundColor: colors.accent,
    color: colors.onAccent,
  };
}

/** Returns the rule of buttons in the dark theme, to follow the standard one. */
export function darkButtonCss({ accent: chosen }: BrandLook): string {
  if (chosen === undefined) return '';
  const { accent, onAccent } = accentFor(chosen, 'dark');
  return `@media (prefers-color-scheme:dark){.${dark.button}{background-color:${accent}!important;color:${onAccent}!important}}`;
}
