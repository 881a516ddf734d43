/** What the server's content security policy lets style elements of this page carry. */
export const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
