import { create } from 'zustand';

/** What a mailed link carries behind its '#', where no server and no log sees it. */
export type MailedLink =
  | { readonly to: 'reset'; readonly code: string; readonly email: string }
  | { readonly to: 'invite'; readonly key: string };

export const useMailedLink = create<{ readonly link: MailedLink | undefined }>()(() => ({ link: undefined }));

/** `#reset=<code>&email=<email>` or `#invite=<key>`; any other hash is a place on a page. */
export function readLink(hash: string): MailedLink | undefined {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const [code, key] = [params.get('reset'), params.get('invite')];
  if (code) return { to: 'reset', code, email: (params.get('email') ?? '').toLowerCase() };
  return key ? { to: 'invite', key } : undefined;
}

/** Takes over the link that the page was opened by, and each that is opened in this tab later. */
export function followMailedLinks(): void {
  takeLink();
  addEventListener('hashchange', takeLink);
}

/** Leaves nothing of the link in the address bar and the history. */
function takeLink(): void {
  const link = readLink(location.hash);
  if (!link) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  useMailedLink.setState({ link });
}

export const clearLink = (): void => useMailedLink.setState({ link: undefined });
