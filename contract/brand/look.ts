import { accentFor, type ThemeName } from './colors.ts';

/* How a brand looks, as custom properties of form/colors.css. */

/** How round buttons and fields are: their radius as a multiple of the standard one. */
export const RADII = { square: 0, soft: 1, round: 2.5 } as const;
export type Corners = keyof typeof RADII;
export const CORNERS = ['square', 'soft', 'round'] as const satisfies readonly Corners[];
export const DEFAULT_CORNERS: Corners = 'soft';

/** The largest logo (CSS px), drawn with two dots per pixel. @limit logos */
export const LOGO_SIZE = { width: 200, height: 56, dots: 2 } as const;

/** A logo as a page contains it. */
export interface BrandLogo {
  /** A data URL: a WebP in pages, a PNG in mails. */
  readonly picture: string;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** What it shows, for those who can't see it. */
  readonly alt: string;
}

/** A logo without its description. */
export type LogoPicture = Omit<BrandLogo, 'alt'>;

/** What visitors see of a brand. */
export interface BrandLook {
  /** As `#rrggbb`; undefined for the standard accent. */
  readonly accent?: string | undefined;
  readonly corners: Corners;
  readonly logo?: BrandLogo | undefined;
}

/** Returns a brand's custom properties in a theme. */
export function lookProperties({ accent, corners }: BrandLook, theme: ThemeName): Readonly<Record<string, string>> {
  const colors = accent === undefined ? undefined : accentFor(accent, theme);
  return {
    ...(colors && { '--accent': colors.accent, '--on-accent': colors.onAccent }),
    ...(corners !== DEFAULT_CORNERS && { '--corner': String(RADII[corners]) }),
  };
}

/** Returns a brand's style sheet; undefined if it changes nothing. */
export function lookStyle(look: BrandLook): string | undefined {
  const [light, dark] = [rule(':root', lookProperties(look, 'light')), rule('[data-theme="dark"]', lookProperties(look, 'dark'))];
  return light + dark || undefined;
}

function rule(selector: string, properties: Readonly<Record<string, string>>): string {
  const parts = Object.entries(properties).map(([name, value]) => `${name}:${value}`);
  return parts.length === 0 ? '' : `${selector}{${parts.join(';')}}`;
}

/** Applies a brand to an open page, in place of the previous one. */
export function applyLook(
  style: { setProperty(name: string, value: string): void; removeProperty(name: string): unknown },
  look: BrandLook | undefined,
  theme: ThemeName,
): void {
  for (const name of ['--accent', '--on-accent', '--corner']) style.removeProperty(name);
  for (const [name, value] of Object.entries(look ? lookProperties(look, theme) : {})) style.setProperty(name, value);
}
