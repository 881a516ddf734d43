import { feedbackIdFloor } from '#contract/core/ids.ts';
import type { PublicConfig } from '#contract/identity/identity.ts';
import type { TeamLanguage } from '#contract/language/team.ts';
import type { TeamWords } from '#contract/language/translate.ts';
import { quietly } from './data/storage.ts';
import { steady } from './demo/clock.ts';
import { CHANGE_THEME } from './frame/chrome/theme-words.ts';
import { preferredLanguage, speak, t } from './language.ts';
import { FEED_PATH, SIGN_UP_PATH } from './start-paths.ts';
import { ago, exactly } from './ui/format/time.ts';
import { WIDE } from './ui/theme/media.ts';

/*
 * Runs at the end of the document (docs/decisions/0005-the-dashboard.md): requests the programs that this page will need, and shows
 * the drawn page that fits, for React to hydrate. What the build couldn't know is filled in here.
 */

type Area = 'demo' | 'docs' | 'signup' | 'signout' | 'team' | 'outside';

const { identity, registration } = contentOf<PublicConfig>('config');
const area = areaOf(location.pathname.split('/')[1]);
const language = preferredLanguage();
speak({ language, words: contentOf<TeamWords>('words') });
const programs = contentOf<Partial<Record<Area | TeamLanguage, readonly string[]>>>('programs');
requestPrograms([...(programs[area] ?? []), ...(programs[language] ?? [])]);
show(drawnFor(area));

function contentOf<Content>(id: string): Content {
  return JSON.parse(document.getElementById(id)?.textContent ?? '');
}

function areaOf(first = ''): Area {
  if (first === 'demo' || first === 'docs' || first === 'signup' || first === 'signout') return first;
  const isSignedIn = quietly(() => Object.keys(localStorage).some((key) => key.startsWith('CognitoIdentityServiceProvider.')));
  return isSignedIn ? 'team' : 'outside';
}

function requestPrograms(files: readonly string[]): void {
  for (const href of files) {
    const kind = href.endsWith('.css') ? { rel: 'preload', as: 'style' } : { rel: 'modulepreload' };
    document.head.append(Object.assign(document.createElement('link'), { ...kind, crossOrigin: '', href }));
  }
}

/** Returns the name of the prerendered page; undefined where React will render something else. */
function drawnFor(page: Area): string | undefined {
  if (language !== document.documentElement.lang) return undefined;
  if (page === 'demo') return document.getElementById('drawn-narrow') ? (matchMedia(WIDE).matches ? 'wide' : 'narrow') : 'frame';
  // A mailed link, the history or a hosted login opens another view.
  const isPlain = !location.hash && !quietly(() => sessionStorage.getItem('afterword.link')) && !history.state?.signIn;
  if (!isPlain) return undefined;
  if (page === 'team') return 'frame';
  return page === 'outside' && !identity.hostedDomain ? 'sign-in' : undefined;
}

function show(name: string | undefined): void {
  const drawn = document.getElementById(`drawn-${name}`);
  const root = document.getElementById('dashboard');
  if (!(drawn instanceof HTMLTemplateElement) || !root) return;
  const { content } = drawn;
  // The content security policy forbids style attributes, but not setting styles from a script.
  for (const element of content.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset['style'] ?? '';
    element.removeAttribute('data-style');
  }
  if (registration !== 'open') hideSignUp(content);
  if (document.documentElement.dataset['mantineColorScheme'] === 'dark')
    content.querySelector(`[aria-label="${t(CHANGE_THEME.light)}"]`)?.setAttribute('aria-label', t(CHANGE_THEME.dark));
  const opened = steady(performance.timeOrigin);
  document.documentElement.dataset['opened'] = String(opened);
  fillMoments(content, opened);
  root.append(content);
  // Elsewhere in the demo, and with a dialog open, React replaces the prerendered page.
  if (area !== 'demo' || (name !== 'frame' && !history.state?.layers?.length)) root.dataset['drawn'] = name;
}

/** The demo links to sign-in instead. */
function hideSignUp(content: DocumentFragment): void {
  for (const link of content.querySelectorAll(`a[href="${SIGN_UP_PATH}"]`)) {
    if (link.parentElement?.localName === 'p') link.parentElement.remove();
    else Object.assign(link, { href: FEED_PATH, textContent: t('Sign in') });
  }
}

/** Fills in times, which depend on the reader's clock and zone. The build writes them as offsets from the sample data's moment. */
function fillMoments(content: DocumentFragment, opened: number): void {
  const formats = { ago: (at: number) => ago(at, Date.now()), exactly: (at: number) => exactly(at) };
  for (const time of content.querySelectorAll('time')) {
    const at = opened + Number(time.dataset['at']);
    time.dateTime = new Date(at).toISOString();
    time.title = exactly(at);
    time.textContent = formats[time.dataset['format'] as keyof typeof formats](at);
  }
  for (const row of content.querySelectorAll<HTMLAnchorElement>('a[id^=EXPERIENCE]')) {
    const [, at, suffix] = row.id.split('_');
    const id = `${feedbackIdFloor(opened + Number(at))}${suffix}`;
    row.setAttribute('href', String(row.getAttribute('href')).replace(row.id, id));
    row.id = id;
  }
}
