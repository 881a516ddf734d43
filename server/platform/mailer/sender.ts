import type { FastifyRequest } from 'fastify';

/**
 * Whose page sent a request: ours, another site's, or one that the headers don't name (docs/limits.md#native-posts). Programs and
 * browsers from before 2020 name none, nor does anything behind a proxy that removes the headers.
 */
type Sender = 'ours' | 'other' | 'unknown';

/** `publicUrl` counts as ours beside the host that was asked, which a proxy may have replaced. */
export function senderOf({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>, publicUrl?: string): Sender {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site !== undefined) return site === 'same-origin' ? 'ours' : site === 'none' ? 'unknown' : 'other';
  if (origin === undefined) return 'unknown';
  const sender = hostOf(origin);
  return sender !== undefined && (sender === host.toLowerCase() || sender === hostOf(publicUrl)) ? 'ours' : 'other';
}

/** Undefined for `null`, which sandboxed frames and pages that hide their address send. */
const hostOf = (address = ''): string | undefined => (URL.canParse(address) ? new URL(address).host : undefined);

/** The referrer policy of a page with a form. Under `no-referrer`, browsers send the form with `Origin: null`. */
export const FORM_REFERRER = 'same-origin';
