/* The dashboard's colours (dashboard/ui/tokens.css) as values: mail programs know no custom properties. */

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

/** What turns dark with the reader's screen, by class: styles in the elements would win otherwise. */
export const DARK_MODE_CLASSES = {
  canvas: 'd-canvas',
  surface: 'd-surface',
  code: 'd-code',
  text: 'd-text',
  quiet: 'd-quiet',
  link: 'd-link',
  button: 'd-button',
  danger: 'd-danger',
} as const;

export const DARK_CSS = `@media (prefers-color-scheme:dark){
.d-canvas,.d-canvas>table>tbody>tr>td{background-color:${DARK.canvas}!important}
.d-surface{background-color:${DARK.surface}!important;border-color:${DARK.line}!important}
.d-code{background-color:${DARK.selected}!important;color:${DARK.text}!important}
.d-text{color:${DARK.text}!important}
.d-quiet{color:${DARK.quiet}!important}
.d-link{color:${DARK.accent}!important}
.d-button{background-color:${DARK.accent}!important;color:${DARK.onAccent}!important}
.d-danger{color:${DARK.danger}!important}
}`;
