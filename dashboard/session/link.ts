import { create } from 'zustand';
import { inTab } from '../data/storage.ts';

/** What a mailed link carries behind its '#', where no server and no log sees it. */
export type MailedLink =
  | { readonly to: 'reset'; readonly code: string; readonly email: string }
  | { readonly to: 'invite'; readonly key: string }
  | { readonly to: 'verify'; readonly key: string; readonly user: string; readonly email: string }
  | { readonly to: 'keep-two-step' | 'not-me'; readonly key: string };

export const useMailedLink = create<{ readonly link: MailedLink | undefined }>()(() => ({ link: undefined }));

const KEPT = 'afterword.link';

/**
 * `#reset=<code>&email=<email>`, `#invite=<key>`, `#verify=<key>&user=<id>&email=<email>`, `#keep-two-step=<key>` or `#not-me=<key>`;
 * any other hash is a place on a page.
 */
export function readLink(hash: string): MailedLink | undefined {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const given = (name: string): string => params.get(name) ?? '';
  const email = given('email').toLowerCase();
  if (given('reset')) return { to: 'reset', code: given('reset'), email };
  if (given('verify') && given('user')) return { to: 'verify', key: given('verify'), user: given('user'), email };
  for (const to of ['keep-two-step', 'not-me'] as const) if (given(to)) return { to, key: given(to) };
  return given('invite') ? { to: 'invite', key: given('invite') } : undefined;
}

/** Takes over the link that the page was opened by, and each that is opened in this tab later. A reload goes on with it. */
export function followMailedLinks(): void {
  takeLink(location.hash || inTab.getItem(KEPT) || '');
  addEventListener('hashchange', () => takeLink(location.hash));
}

/** Leaves nothing of the link in the address bar and the history; this tab keeps it until it is used. */
function takeLink(hash: string): void {
  const link = readLink(hash);
  if (!link) return;
  inTab.setItem(KEPT, hash);
  if (location.hash === hash) history.replaceState(history.state, '', location.pathname + location.search);
  useMailedLink.setState({ link });
}

export function clearLink(): void {
  inTab.removeItem(KEPT);
  useMailedLink.setState({ link: undefined });
}
