import type { Config } from '../config/config.ts';

const TWO_YEARS = 63_072_000;

/** Security headers of every answer, also of those that skip our hooks: answers to invalid HTTP or unreadable URLs. */
export const BARE_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/**
 * Returns the headers that a request's answer starts with (docs/rules.md#security-headers), the same object for every request. Pages set
 * their own content policy; nothing else may run or be framed.
 */
export const answerHeaders = ({ publicUrl, hsts }: Pick<Config, 'hsts' | 'publicUrl'>): Readonly<Record<string, string>> => ({
  ...BARE_HEADERS,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  ...(publicUrl.startsWith('https:') &&
    hsts !== 'off' && { 'strict-transport-security': `max-age=${TWO_YEARS}${hsts === 'subdomains' ? '; includeSubDomains' : ''}` }),
});

/** Returns the policy of a page in the dashboard's preview frame. It makes no request and can't send anything. */
export const previewPolicy = (style: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${style}`,
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
