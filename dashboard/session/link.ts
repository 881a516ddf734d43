import { create } from 'zustand';
import { inTab } from '../data/storage.ts';

/** What a mailed link carries behind its '#', where no server and no log sees it. */
export type MailedLink =
  | { readonly to: 'reset'; readonly code: string; readonly email: string }
  | { readonly to: 'invite'; readonly key: string }
  | { readonly to: 'verify'; readonly key: string; readonly user: string; readonly email: string }
  | { readonly to: 'keep-two-step'; readonly key: string };

export const useMailedLink = create<{ readonly link: MailedLink | undefined }>()(() => ({ link: undefined }));

const KEPT = 'afterword.link';

/**
 * `#reset=<code>&email=<email>`, `#invite=<key>`, `#verify=<key>&user=<id>&email=<email>` or `#keep-two-step=<key>`; any other hash
 * is a place on a page.
 */
export function readLink(hash: string): MailedLink | undefined {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const given = (name: string): string => params.get(name) ?? '';
  const email = given('email').toLowerCase();
  if (given('reset')) return { to: 'reset', code: given('reset'), email };
  if (given('verify') && given('user')) return { to: 'verify', key: given('verify'), user: given('user'), email };
  if (given('keep-two-step')) return { to: 'keep-two-step', key: given('keep-two-step') };
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
