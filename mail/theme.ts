/* The dashboard's colors (dashboard/ui/theme/tokens.css) as values, because mail apps don't support custom properties. */

export const LIGHT = {
  canvas: '#f6f6f3',
  surface: '#ffffff',
  selected: '#eceefb',
  line: '#e0dfda',
  text: '#1c1b19',
  quiet: '#56554f',
  accent: '#3d4cc2',
  onAccent: '#ffffff',
  danger: '#a8221a',
} as const;

/** The bars of the five ratings; a bar always has its number beside it. */
export const FACES = { 1: '#96191b', 2: '#b8431f', 3: '#ad8200', 4: '#3c8c62', 5: '#0a5563' } as const;
const DARK_FACES: Record<keyof typeof FACES, string> = { 1: '#e0555a', 2: '#f2a063', 3: '#f0d77c', 4: '#7fcfa6', 5: '#3a9db3' };

const DARK: Record<keyof typeof LIGHT, string> = {
  canvas: '#121215',
  surface: '#1a1a1e',
  selected: '#262a4a',
  line: '#313138',
  text: '#ececef',
  quiet: '#ababb6',
  accent: '#a3aeff',
  onAccent: '#14163a',
  danger: '#ff9d94',
};

export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** The classes of elements that turn dark; their rules override the inline styles. */
export const DARK_MODE_CLASSES = {
  canvas: 'd-canvas',
  surface: 'd-surface',
  code: 'd-code',
  text: 'd-text',
  quiet: 'd-quiet',
  link: 'd-link',
  button: 'd-button',
  danger: 'd-danger',
  logo: 'd-logo',
} as const;

export const DARK_CSS = `:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){
.d-canvas,.d-canvas>table>tbody>tr>td{background-color:${DARK.canvas}!important}
.d-surface{background-color:${DARK.surface}!important;border-color:${DARK.line}!important}
.d-code{background-color:${DARK.selected}!important;color:${DARK.text}!important}
.d-text{color:${DARK.text}!important}
.d-quiet{color:${DARK.quiet}!important}
.d-link{color:${DARK.accent}!important}
.d-button{background-color:${DARK.accent}!important;color:${DARK.onAccent}!important}
.d-danger{color:${DARK.danger}!important}
.d-logo{padding:6px 8px!important;border-radius:6px!important;background-color:#ffffff!important}
${Object.entries(DARK_FACES)
  .map(([rating, color]) => `.d-r${rating}{background-color:${color}!important}`)
  .join('\n')}
}`;
