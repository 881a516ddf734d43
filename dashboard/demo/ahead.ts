import { feedbackIdFloor } from '#contract/core/ids.ts';
import type { PublicConfig } from '#contract/identity/identity.ts';
import { CHANGE_THEME } from '../frame/chrome/theme-words.ts';
import { paths } from '../paths.ts';
import { ago, exactly } from '../ui/format/time.ts';
import { WIDE } from '../ui/theme/media.ts';
import { steady } from './clock.ts';

/*
 * Runs in the demo's document, below what the build drew there (docs/decisions/0007-the-first-load.md): tells its moments
 * on the reader's clock, keeps in mind what is done to it, and gives its place to the page once that is there.
 */

type Field = HTMLInputElement | HTMLSelectElement;

const [page, ahead, dashboard] = [document.documentElement, byId('ahead'), byId('dashboard')];
/** What was pressed last. */
let pressed: Element | undefined;
/** What was typed into, or chosen from. */
const filled = new Set<Field>();

show();
nameTheme();
tellMoments({ opened: steady(performance.timeOrigin), now: Date.now() });
lead();
ahead.addEventListener('click', press);
ahead.addEventListener('input', fill);
new MutationObserver(giveWay).observe(dashboard, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-busy'] });

function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The document has no ${id}`);
  return element;
}

/** Of the two pictures, the one that fits. */
function show(): void {
  const [fits, other] = matchMedia(WIDE).matches ? ['wide', 'narrow'] : ['narrow', 'wide'];
  page.dataset['start'] = fits;
  byId(`ahead-${other}`).remove();
  dashboard.before(ahead);
}

/** It is drawn in the light theme; the rest of it is a matter of style. */
function nameTheme(): void {
  if (page.dataset['mantineColorScheme'] === 'dark')
    ahead.querySelector(`[aria-label="${CHANGE_THEME.light}"]`)?.setAttribute('aria-label', CHANGE_THEME.dark);
}

/** Every moment is written as how far it is from the one that the sample is of. */
function tellMoments({ opened, now }: { opened: number; now: number }): void {
  const told = { ago: (at: number) => ago(at, now), exactly: (at: number) => exactly(at) };
  const tell = (at: number, words: string): string => told[words as keyof typeof told](at);
  for (const time of ahead.querySelectorAll('time')) {
    const { at, text = '' } = time.dataset;
    const moment = opened + Number(at);
    time.dateTime = new Date(moment).toISOString();
    time.textContent = tell(moment, text);
  }
  for (const row of ahead.querySelectorAll<HTMLAnchorElement>('a[id^=EXPERIENCE]')) {
    const [, at, suffix] = row.id.split('_');
    const id = `${feedbackIdFloor(opened + Number(at))}${suffix}`;
    row.setAttribute('href', String(row.getAttribute('href')).replace(row.id, id));
    row.id = id;
  }
}

/** Where nobody can sign up, the demo leads to signing in. */
function lead(): void {
  const { registration } = JSON.parse(byId('config').textContent) as PublicConfig;
  if (registration === 'open') return;
  for (const link of ahead.querySelectorAll<HTMLAnchorElement>(`a[href="${paths.signUp}"]`)) {
    link.setAttribute('href', paths.feed);
    link.textContent = 'Sign in';
  }
}

/** What is pressed before the page can do it, it does when it comes. Other documents are not waited for. */
function press(event: MouseEvent): void {
  const control = event.target instanceof Element ? event.target.closest('a[href], button, input[type=radio]') : null;
  if (!control || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (control instanceof HTMLAnchorElement && !control.pathname.startsWith(paths.demo)) return;
  event.preventDefault();
  pressed?.removeAttribute('aria-busy');
  control.setAttribute('aria-busy', 'true');
  pressed = control;
}

function fill({ target }: Event): void {
  if (target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === 'search')) filled.add(target);
}

/**
 * The page is drawn apart from the document. Once there is one and nothing of it is busy, in the next frame too, since what was asked
 * for in this one comes with it, it takes the place.
 */
function giveWay(_changes: unknown, observer: MutationObserver): void {
  dashboard.remove();
  if (isBusy()) return;
  requestAnimationFrame(() =>
    setTimeout(() => {
      if (isBusy() || !ahead.isConnected) return;
      observer.disconnect();
      replace();
    }),
  );
}

const isBusy = (): boolean => dashboard.querySelector('h1') === null || dashboard.querySelector('[aria-busy=true]') !== null;

function replace(): void {
  const focused = document.activeElement;
  const hadFocus = ahead.contains(focused);
  ahead.replaceWith(dashboard);
  delete page.dataset['start'];
  if (hadFocus && focused) twinOf(focused)?.focus({ preventScroll: true });
  for (const field of filled) enter(twinOf(field), field.value);
  if (pressed) twinOf(pressed)?.click();
}

/** As if it were done there. The page's own setter would take the value for what is known already. */
function enter(field: HTMLElement | undefined, value: string): void {
  if (!field) return;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }));
}

/** The same control in the page that took the place. */
function twinOf(control: Element): HTMLElement | undefined {
  const name = nameOf(control);
  return [...dashboard.querySelectorAll<HTMLElement>(control.localName)].find((other) => nameOf(other) === name);
}

/** What tells it from the others of its kind, whatever is counted in it. */
const nameOf = (control: Element): string =>
  ['href', 'aria-keyshortcuts', 'aria-label', 'value'].map((name) => control.getAttribute(name)).find((name) => name !== null) ??
  control.textContent;
