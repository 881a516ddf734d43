import { create } from 'zustand';
import { inTab } from '../data/storage.ts';

/** The content of an emailed link after its '#', where no server or log sees it. */
export type MailedLink =
  | { readonly to: 'reset'; readonly code: string; readonly email: string }
  | { readonly to: 'invite'; readonly key: string }
  | { readonly to: 'verify'; readonly key: string; readonly user: string; readonly email: string }
  | { readonly to: 'keep-two-step' | 'not-me'; readonly key: string };

export const useMailedLink = create<{ readonly link: MailedLink | undefined }>()(() => ({ link: undefined }));

const LINK_KEY = 'afterword.link';

/**
 * Reads `#reset=<code>&email=<email>`, `#invite=<key>`, `#verify=<key>&user=<id>&email=<email>`, `#keep-two-step=<key>` or `#not-me=<key>`;
 * undefined for any other hash, which is an anchor on the page.
 */
export function readLink(hash: string): MailedLink | undefined {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const param = (name: string): string => params.get(name) ?? '';
  const email = param('email').toLowerCase();
  if (param('reset')) return { to: 'reset', code: param('reset'), email };
  if (param('verify') && param('user')) return { to: 'verify', key: param('verify'), user: param('user'), email };
  for (const to of ['keep-two-step', 'not-me'] as const) if (param(to)) return { to, key: param(to) };
  return param('invite') ? { to: 'invite', key: param('invite') } : undefined;
}

/** Follows the link that opened the page, also after a reload, and each link opened in this tab later. */
export function followMailedLinks(): void {
  followLink(location.hash || inTab.getItem(LINK_KEY) || '');
  addEventListener('hashchange', () => followLink(location.hash));
}

/** Stores the link in this tab until it's used, and removes it from the address bar and the history. */
function followLink(hash: string): void {
  const link = readLink(hash);
  if (!link) return;
  inTab.setItem(LINK_KEY, hash);
  if (location.hash === hash) history.replaceState(history.state, '', location.pathname + location.search);
  useMailedLink.setState({ link });
}

export function clearLink(): void {
  inTab.removeItem(LINK_KEY);
  useMailedLink.setState({ link: undefined });
}
