import * as v from 'valibot';
import { type BrandChanges, brandChanges } from '#contract/brand/brand.ts';
import { type AccentColors, accentFor, HEX_COLOR, STANDARD_ACCENTS, type ThemeName } from '#contract/brand/colors.ts';
import { type BrandLogo, type BrandLook, type Corners, LOGO_SIZE } from '#contract/brand/look.ts';

/** A brand being edited. */
export interface BrandDraft {
  /** As typed; empty for the standard accent. */
  readonly accent: string;
  readonly corners: Corners;
  /** Null without a logo. */
  readonly logo: BrandLogo | null;
}

/** The contract's rules for a draft. The server checks the picture. */
export const BRAND_DRAFT = v.pipe(
  v.custom<BrandDraft>(() => true),
  v.transform(
    ({ accent, corners, logo }): BrandChanges => ({
      accent: accent.trim() === '' ? null : accent,
      corners,
      logo: logo && { alt: logo.alt },
    }),
  ),
  brandChanges,
);

export const draftOf = ({ accent, corners, logo }: BrandLook): BrandDraft => ({ accent: accent ?? '', corners, logo: logo ?? null });

/** Returns the typed accent; undefined if it is empty or not a color. */
export function accentOf({ accent }: Pick<BrandDraft, 'accent'>): string | undefined {
  const color = accent.trim().toLowerCase();
  return HEX_COLOR.test(color) ? color : undefined;
}

/** Returns the look of a draft for the preview. */
export const lookOf = (draft: BrandDraft): BrandLook => ({
  accent: accentOf(draft),
  corners: draft.corners,
  logo: draft.logo ?? undefined,
});

/** Returns what differs between two drafts. */
export function changesBetween(before: BrandDraft, after: BrandDraft): BrandChanges {
  return {
    ...(before.accent !== after.accent && { accent: accentOf(after) ?? null }),
    ...(before.corners !== after.corners && { corners: after.corners }),
    ...logoChange(before.logo, after.logo),
  };
}

function logoChange(before: BrandLogo | null, after: BrandLogo | null): Pick<BrandChanges, 'logo'> {
  if (!after) return before ? { logo: null } : {};
  const { picture, alt } = after;
  if (before?.picture !== picture) return { logo: { picture, alt } };
  return before.alt === alt ? {} : { logo: { alt } };
}

/** The color that the color picker opens with. */
export const STANDARD_ACCENT = STANDARD_ACCENTS.light.accent;

/** Returns the colors that visitors see in a theme. */
export const colorsIn = (theme: ThemeName, color: string | undefined): AccentColors =>
  color === undefined ? STANDARD_ACCENTS[theme] : accentFor(color, theme);

/** Returns about the size (CSS px) at which the server draws a picture of this size (px). */
export function logoSize(picture: { readonly width: number; readonly height: number }): { width: number; height: number } {
  const [width, height] = [picture.width / LOGO_SIZE.dots, picture.height / LOGO_SIZE.dots];
  const scale = Math.min(1, LOGO_SIZE.width / width, LOGO_SIZE.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
