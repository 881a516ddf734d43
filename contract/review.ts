/** Review services and their links. Pure, so that the form's page stays small. */

export const REVIEW_SERVICES = ['Google', 'Yelp'] as const;
export type ReviewService = (typeof REVIEW_SERVICES)[number];

/** Hosts that belong to each service: the host itself or any of its subdomains. */
const HOSTS: Record<ReviewService, RegExp> = {
  Google: /(?:^|\.)(?:google\.(?:com|[a-z]{2}|co\.[a-z]{2}|com\.[a-z]{2})|goo\.gl|g\.page|g\.co)$/,
  Yelp: /(?:^|\.)(?:yelp\.(?:com|[a-z]{2}|co\.[a-z]{2}|com\.[a-z]{2})|yelp\.to)$/,
};

/** What the button says. Yelp forbids asking for reviews, so its words only point the way. */
export const REVIEW_LABEL: Record<ReviewService, string> = {
  Google: 'Review us on Google',
  Yelp: 'Find us on Yelp',
};

/**
 * A review link in its canonical form, or undefined where it is not one: https, a host of that service,
 * the usual port, no user name or password in it.
 */
export function reviewLink(service: ReviewService, url: string): string | undefined {
  const [, host, rest = ''] = LINK.exec(url) ?? [];
  if (host === undefined || !HOSTS[service].test(host.toLowerCase())) return undefined;
  return `https://${host.toLowerCase()}${rest.replace(/[^!-~]/gu, encodeURIComponent)}`;
}

/** https, a bare host (so no user name, no port), then a path without spaces, backslashes or control characters. */
const LINK = /^https:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)((?:[/?#](?:(?!\\)[!-~\p{L}\p{N}\p{M}\p{S}])*)?)$/iu;

/** A service with the link that a business pasted for it. */
export interface ReviewLink {
  readonly name: ReviewService;
  readonly url: string;
}
