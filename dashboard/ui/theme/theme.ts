import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';
import { t } from '../../language.ts';
import { SteadyButton } from '../SteadyButton.tsx';

const ink: MantineColorsTuple = [
  '#f0f2fd',
  '#e6e9fa',
  '#c9d0f6',
  '#a3aeff',
  '#7c89ec',
  '#5766d6',
  '#3d4cc2',
  '#3341aa',
  '#2a368e',
  '#1e2769',
];

/** Mantine's own shades don't have the contrast of tokens.css. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  if (input.variant === 'filled' && (input.color === undefined || input.color === 'ink')) {
    return { ...colors, background: 'var(--c-accent)', hover: 'var(--c-accent-hover)', color: 'var(--c-on-accent)' };
  }
  if (input.variant === 'filled' && input.color === 'red')
    return { ...colors, background: 'var(--c-danger)', hover: 'var(--c-danger)', color: 'var(--c-on-danger)' };
  if (input.variant === 'default') return { ...colors, border: '1px solid var(--c-line)' };
  if (input.variant === 'subtle') return { ...colors, background: 'transparent', hover: 'var(--c-hover)', color: 'var(--c-text)' };
  return colors;
};

export const theme = createTheme({
  primaryColor: 'ink',
  colors: { ink },
  variantColorResolver,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, sans-serif',
  // The weights of labels and buttons, and of headings (docs/decisions/0005-the-dashboard.md).
  fontWeights: { medium: '500', bold: '600' },
  headings: { fontFamily: 'system-ui, sans-serif' },
  components: {
    Button: { defaultProps: { component: SteadyButton } },
    Input: {
      vars: (_theme: unknown, { error }: { error?: unknown }) => ({
        wrapper: {
          '--input-bd': error ? 'var(--c-danger-text)' : 'var(--c-control)',
          '--input-bg': 'var(--c-surface)',
          '--input-bd-focus': 'var(--c-accent)',
        },
      }),
    },
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'description', 'input', 'error'] } },
    Checkbox: { defaultProps: { size: 'md' }, classNames: { label: 'checked-label' } },
    Radio: { defaultProps: { size: 'md' }, classNames: { label: 'checked-label' } },
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, position: 'bottom-end', shadow: 'md' } },
    Drawer: { defaultProps: () => ({ closeButtonProps: { 'aria-label': t('Close') } }) },
    // A fixed distance from the top, so that a message below a dialog's buttons doesn't move them.
    Modal: { defaultProps: () => ({ closeButtonProps: { 'aria-label': t('Close') }, yOffset: '12dvh' }) },
  },
});

const VARIABLES = {
  '--mantine-color-body': 'var(--c-surface)',
  '--mantine-color-text': 'var(--c-text)',
  '--mantine-color-dimmed': 'var(--c-text-2)',
  '--mantine-color-placeholder': 'var(--c-text-3)',
  '--mantine-color-error': 'var(--c-danger-text)',
  '--mantine-color-anchor': 'var(--c-accent)',
  '--mantine-color-default': 'var(--c-raised)',
  '--mantine-color-default-hover': 'var(--c-hover)',
  '--mantine-color-default-border': 'var(--c-control)',
  '--mantine-color-default-color': 'var(--c-text)',
  '--mantine-color-disabled': 'var(--c-hover)',
  '--mantine-color-disabled-border': 'var(--c-line)',
  '--mantine-color-disabled-color': 'var(--c-text-3)',
};

/**
 * The primary color's shades on dark surfaces. A dark `primaryShade` would set them too, and those of Mantine's twelve other colors,
 * which no page uses and every prerendered page would contain.
 */
const INK_IN_DARK = {
  '--mantine-color-ink-text': 'var(--mantine-color-ink-4)',
  '--mantine-color-ink-filled': 'var(--mantine-color-ink-3)',
  '--mantine-color-ink-filled-hover': 'var(--mantine-color-ink-4)',
  '--mantine-color-ink-light': '#0f1435',
  '--mantine-color-ink-light-hover': '#151b4a',
  '--mantine-color-ink-light-color': 'var(--mantine-color-ink-0)',
  '--mantine-color-ink-outline': 'var(--mantine-color-ink-0)',
  '--mantine-color-ink-outline-hover': 'rgb(240 242 253 / 0.05)',
};

/** Maps Mantine's variables to our colors in both schemes. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: VARIABLES,
  dark: { ...VARIABLES, ...INK_IN_DARK },
});
