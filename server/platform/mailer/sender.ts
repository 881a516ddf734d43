import type { FastifyRequest } from 'fastify';

/**
 * The page that sent a request: ours, another site's, or unknown (docs/rules.md#other-sites-posts). It's unknown for programs, for
 * browsers from before 2020, and behind a proxy that removes the headers.
 */
type Sender = 'ours' | 'other' | 'unknown';

/** Returns the sender of a request. `publicUrl` counts as ours too, because a proxy may have replaced the host. */
export function senderOf({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>, publicUrl?: string): Sender {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site !== undefined) return site === 'same-origin' ? 'ours' : site === 'none' ? 'unknown' : 'other';
  if (origin === undefined) return 'unknown';
  const sender = hostOf(origin);
  return sender !== undefined && (sender === host.toLowerCase() || sender === hostOf(publicUrl)) ? 'ours' : 'other';
}

/** Returns undefined for `null`, which sandboxed frames and pages without a referrer send. */
const hostOf = (address = ''): string | undefined => (URL.canParse(address) ? new URL(address).host : undefined);

/** The referrer policy of a page with a form. Under `no-referrer`, browsers send the form with `Origin: null`. */
export const FORM_REFERRER = 'same-origin';
