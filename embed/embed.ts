/*
 * Runs in a customer's page, where each link with `data-afterword` opens a form. Shows the form in place of the link, or in a dialog
 * (docs/decisions/0002-the-visitors-page.md). Styles are set through CSSOM, which a content security policy without inline styles allows.
 */

import { EMBED_FIELD, type EmbedMessage, LANGUAGE_FIELD, THEME_FIELD } from '#contract/form/form-page.ts';
import { CLOSE } from '#contract/language/close.ts';

// A page may contain links that its visitors wrote, so only this script's own site is framed.
const { origin } = new URL((document.currentScript as HTMLScriptElement).src);
/** The least height of a frame (px). @limit embed-height */
const LEAST = 80;
/** The most height (px). @limit embed-height */
const MOST = 4_000;
/** The height of the first step, which is reserved while it loads. @limit embed-height */
const FIRST = '620px';
const WIDTH = '30rem';

showForms();
addEventListener('DOMContentLoaded', showForms);

/** Shows the links that are there, each once, also if the page contains this script twice. */
function showForms(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-afterword]:not([data-afterword-shown])')) {
    if (link.origin !== origin || !link.pathname.startsWith('/feedback/')) continue;
    link.dataset['afterwordShown'] = '';
    const look = link.dataset['afterword'];
    if (look === 'inline') showInline(link);
    if (look === 'button' && 'HTMLDialogElement' in window) showOnClick(link);
  }
}

function showInline(link: HTMLAnchorElement): void {
  const frame = createFrame(link, { onBlocked: () => frame.replaceWith(link) });
  link.replaceWith(frame);
}

function showOnClick(link: HTMLAnchorElement): void {
  let dialog: HTMLDialogElement | undefined;
  link.addEventListener('click', (event) => {
    // Other clicks open the link in a new tab or window.
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    dialog ??= createDialog(link);
    dialog.showModal();
  });
}

/** Returns a dialog over the whole window, which closes with a click beside the frame. */
function createDialog(link: HTMLAnchorElement): HTMLDialogElement {
  const dialog = styled('dialog', {
    ...{ inset: '0', width: '100%', maxWidth: 'none', height: '100%', maxHeight: 'none', boxSizing: 'border-box', padding: '8px' },
    ...{ overflow: 'auto', overscrollBehavior: 'contain', border: '0', background: 'rgb(0 0 0/.6)' },
  });
  const column = styled('div', { maxWidth: WIDTH, margin: 'auto' });
  const close = styled('button', {
    ...{ position: 'sticky', top: '0', display: 'block', width: '44px', height: '44px', margin: '0 0 8px auto', padding: '0' },
    ...{ border: '0', borderRadius: '22px', background: '#fff', color: '#1c1b19', font: '24px sans-serif', cursor: 'pointer' },
  });
  const frame = createFrame(link, { onClose: () => dialog.close(), onBlocked: () => location.assign(link.href) });
  dialog.setAttribute('aria-label', frame.title);
  close.setAttribute('aria-label', closeIn(link));
  close.textContent = '×';
  // Of any click but those in the frame, which keeps them.
  dialog.addEventListener('click', () => dialog.close());
  // Safari doesn't focus a link that is clicked.
  dialog.addEventListener('close', () => link.focus());
  column.append(close, frame);
  dialog.append(column);
  document.body.append(dialog);
  return dialog;
}

interface FrameEvents {
  /** Called when Escape was pressed in the frame. */
  readonly onClose?: () => void;
  /** Called if the page's policy forbids the frame. */
  readonly onBlocked: () => void;
}

/** Returns a frame with a link's form, which keeps the height of its content. */
function createFrame(link: HTMLAnchorElement, { onClose, onBlocked }: FrameEvents): HTMLIFrameElement {
  const theme = themeAround(link);
  const frame = styled('iframe', {
    ...{ display: 'block', width: '100%', maxWidth: WIDTH, height: FIRST, border: '0' },
    // Otherwise the browser paints a background behind the frame's transparent one.
    colorScheme: theme,
  });
  const address = new URL(link.href);
  address.searchParams.set(EMBED_FIELD, '1');
  address.searchParams.set(THEME_FIELD, theme);
  frame.title = link.textContent.trim() || link.ariaLabel || link.querySelector('img')?.alt || 'Feedback';
  frame.referrerPolicy = 'no-referrer';
  frame.loading = 'lazy';
  frame.src = address.href;
  addEventListener('message', ({ source, origin: sender, data }: MessageEvent<EmbedMessage | null>) => {
    if (!source || source !== frame.contentWindow || sender !== origin) return;
    const message = data?.afterword;
    if (message === 'close') onClose?.();
    else if (Number.isFinite(message)) frame.style.height = `${Math.min(Math.max(message ?? 0, LEAST), MOST)}px`;
  });
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    if (frame.isConnected && effectiveDirective === 'frame-src' && blockedURI.startsWith(origin)) onBlocked();
  });
  return frame;
}

/** Returns an element with these styles and, of the page's, none. */
function styled<Tag extends 'dialog' | 'div' | 'button' | 'iframe'>(tag: Tag, styles: Partial<CSSStyleDeclaration>) {
  const element = document.createElement(tag);
  Object.assign(element.style, { all: 'revert', ...styles });
  return element;
}

/** Returns the theme of the text around a link: light text is on a dark page. */
function themeAround(link: HTMLAnchorElement): 'light' | 'dark' {
  const { color } = getComputedStyle(link.parentElement ?? link);
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  // The sum is halfway between black and white. Other color spaces have other numbers.
  const isLight = color.startsWith('rgb') ? red + green + blue > 382 : matchMedia('(prefers-color-scheme:dark)').matches;
  return isLight ? 'dark' : 'light';
}

/** Returns the word for closing, in the language of the form's link or of the page. */
function closeIn(link: HTMLAnchorElement): string {
  const tag = new URL(link.href).searchParams.get(LANGUAGE_FIELD) ?? link.closest<HTMLElement>('[lang]')?.lang ?? '';
  return CLOSE[tag] ?? CLOSE[tag.split('-')[0] ?? ''] ?? 'Close';
}
