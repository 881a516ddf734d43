import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PublicConfig } from '#contract/identity/identity.ts';
import { WORDS } from '#contract/language/all.ts';
import { openTestApp, type TestApp } from '../test/support/app.ts';
import { addDashboard } from './dashboard.ts';
import { readConfig } from './platform/config/config.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ settings: { WEBSITE: 'https://afterword.example' } });
});
afterAll(() => app.stop());

const get = (url: string, headers: Record<string, string> = {}) => app.app.http.inject({ url, headers });

describe('the team’s page', () => {
  it.each(['/', '/urgent', '/demo', '/properties/pier-4/feedback?range=week', '/anything/else'])('is served at %s', async (url) => {
    const { statusCode, body, headers } = await get(url);
    expect(statusCode).toBe(200);
    expect(body).toContain('<div id="dashboard">');
    expect(headers['cache-control']).toBe('no-store');
  });

  it.each(['/favicon.ico', '/robots.txt', '/wp-login.php', '/api/nothing', '/assets/nothing.js', '/.env'])(
    'is not served at %s',
    async (url) => {
      const { statusCode, headers } = await get(url);
      expect(statusCode).toBe(404);
      expect(headers['content-type']).toMatch('application/problem+json');
    },
  );

  it('allows only scripts with its own nonce', async () => {
    const [page, another] = [await get('/'), await get('/')];
    const nonceOf = ({ headers }: typeof page) => /script-src 'self' 'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1];
    expect(nonceOf(page)).not.toBe(nonceOf(another));
    expect(page.body).toContain(`nonce="${nonceOf(page)}"`);
    expect(page.body).not.toContain('__NONCE__');
    expect(String(page.headers['content-security-policy'])).not.toMatch(/unsafe|\*|https?:/);
    expect(String(page.headers['content-security-policy'])).toMatch(/; require-trusted-types-for 'script'; trusted-types default$/);
    for (const script of page.body.match(/<script(?![^>]*(?:src=|json))[^>]*>/g) ?? []) expect(script).toContain('nonce=');
  });
});

describe('the payment page', () => {
  const headersAt = async (url: string, kind: PublicConfig['billing']['kind']) => {
    const http = fastify();
    const config: PublicConfig = (await get('/api/config')).json();
    addDashboard(http, {
      documents: { en: { page: '', demo: '' }, de: { page: '', demo: '' } },
      origins: [],
      publicConfig: () => ({ ...config, billing: { ...config.billing, kind } }),
    });
    const { headers } = await http.inject(url);
    return { policy: String(headers['content-security-policy']), opener: headers['cross-origin-opener-policy'] };
  };

  it.each(['/pay', '/pay/', '/PAY', '/pay?_ptxn=txn_1'])('allows Paddle’s checkout at %s, but no other scripts', async (url) => {
    const { policy, opener } = await headersAt(url, 'paddle');
    expect(policy).toMatch(/script-src 'self' 'nonce-[^']+' https:\/\/cdn\.paddle\.com;/);
    expect(policy).toContain("frame-src 'self' https://buy.paddle.com https://sandbox-buy.paddle.com ");
    expect(policy).not.toContain('trusted-types');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(opener).toBe('unsafe-none');
  });

  it.each([
    ['/', 'paddle'],
    ['/payments', 'paddle'],
    ['/properties?next=/pay', 'paddle'],
    ['/pay', 'sandbox'],
    ['/pay', 'none'],
  ] as const)('is the only exception: %s with %s has the strict policy', async (url, kind) => {
    const { policy, opener } = await headersAt(url, kind);
    expect(policy).not.toMatch(/unsafe|paddle/);
    expect(policy).toMatch(/; require-trusted-types-for 'script'; trusted-types default$/);
    expect(opener).toBeUndefined();
  });
});

describe('an installation with analytics', () => {
  it('allows the team’s pages to send analytics, but not visitors’ pages, and the privacy policy says so', async () => {
    const settings = { ANALYTICS_KEY: 'phc_a1', ANALYTICS_HOST: 'https://eu.i.posthog.com/' };
    const withAnalytics = await openTestApp({ settings });
    const ask = (url: string) => withAnalytics.app.http.inject(url);
    expect((await ask('/api/config')).json().analytics).toEqual({ enabled: true, key: 'phc_a1', host: 'https://eu.i.posthog.com' });
    const policyOf = async (url: string) => String((await ask(url)).headers['content-security-policy']);
    expect(await policyOf('/')).toContain("connect-src 'self' https://eu.i.posthog.com;");
    expect(await policyOf('/feedback/FORM_Pier04')).not.toContain('posthog');
    expect((await ask('/privacy')).body).toContain('eu.i.posthog.com');
    expect((await ask('/privacy')).body).not.toContain('no analytics');
    await withAnalytics.stop();
    expect(String((await get('/')).headers['content-security-policy'])).toContain("connect-src 'self';");
    expect((await get('/privacy')).body).toContain('no analytics runs');
  });

  it.each([
    ['ANALYTICS_KEY', 'two words'],
    ['ANALYTICS_HOST', 'eu.i.posthog.com'],
    ['ANALYTICS_HOST', "https://x; script-src 'unsafe-inline'"],
    ['ANALYTICS_HOST', 'https://x/path'],
  ])('refuses to start with %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} is`));
  });
});

describe('POST /signout', () => {
  const sentFrom = async (site: string | undefined) => {
    const headers = site === undefined ? {} : { 'sec-fetch-site': site };
    const answer = await app.app.http.inject({ method: 'POST', url: '/signout', headers });
    return [answer.statusCode, answer.headers['clear-site-data'], answer.headers['cache-control']];
  };

  it.each(['cross-site', 'same-site', 'none', undefined])('clears nothing for %s', async (site) => {
    expect(await sentFrom(site)).toEqual([204, undefined, 'no-store']);
  });

  it.each(['null', 'https://elsewhere.example'])(
    'clears nothing for a page of %s in a browser that sends only the origin',
    async (origin) => {
      const { headers } = await app.app.http.inject({ method: 'POST', url: '/signout', headers: { origin } });
      expect(headers['clear-site-data']).toBeUndefined();
    },
  );

  it('clears the cache, but not the storage, for the product’s own page', async () => {
    expect(await sentFrom('same-origin')).toEqual([204, '"cache"', 'no-store']);
  });
});

describe('the first load', () => {
  it('has the public configuration in the document, compressed if the client accepts it, and the drawn pages before the styles', async () => {
    const page = await get('/');
    const [, embedded = ''] = /<script type="application\/json" id="config">(.*?)<\/script>/.exec(page.body) ?? [];
    expect(JSON.parse(embedded)).toEqual((await get('/api/config')).json());
    const packed = await get('/', { 'accept-encoding': 'gzip' });
    expect([packed.headers['content-encoding'], page.headers['content-encoding']]).toEqual(['gzip', undefined]);
    const constant = (html: string) => html.replace(/(?:nonce|content)="[\w+/=]{24}"/g, '');
    expect(constant(gunzipSync(packed.rawPayload).toString())).toBe(constant(page.body));
    expect(packed.rawPayload.length).toBeLessThan(11_000);
    expect(page.body.indexOf('id="drawn-sign-in"')).toBeLessThan(page.body.indexOf('rel="stylesheet"'));
  });

  it('has no texts for visitors in other languages', async () => {
    const files = [...new Set((await get('/')).body.match(/assets\/[\w-]+\.js/g))];
    expect(files).toContainEqual(expect.stringMatching(/^assets\/team-/));
    for (const file of files) expect((await get(`/${file}`)).body).not.toContain(WORDS.ja.kiosk.scan);
  });
});

describe('the demo’s document', () => {
  it.each(['/demo', '/demo/'])('has its rows at %s, in less than 28.5 kB', async (url) => {
    const packed = await get(url, { 'accept-encoding': 'gzip' });
    const html = gunzipSync(packed.rawPayload).toString();
    expect(html.match(/Waited 40 minutes, nobody at the counter\./g)?.length).toBe(3);
    expect(html).not.toMatch(/EXPERIENCE_\d{8}|<time[^>]*>[^<]|__[A-Z]+__| style="/);
    expect(packed.rawPayload.length).toBeLessThan(28_500);
  });

  it('is in German, in less than 29 kB, for a browser that prefers it', async () => {
    const headers = { 'accept-encoding': 'gzip', 'accept-language': 'fr, de-CH;q=0.9, en;q=0.8' };
    const packed = await get('/demo', headers);
    const html = gunzipSync(packed.rawPayload).toString();
    expect([html.includes('<html lang="de"'), html.includes('Alle Antworten'), html.includes('All feedback')]).toEqual([true, true, false]);
    expect(packed.rawPayload.length).toBeLessThan(29_000);
    expect((await get('/', { 'accept-language': 'fr, ja' })).body).toContain('<html lang="en"');
  });

  it.each(['/demo?rating=1', '/demo/urgent', '/demo/properties', '/'])('is not served at %s', async (url) => {
    expect((await get(url)).body).not.toContain('nobody at the counter');
  });
});

describe('GET /api/config', () => {
  it('returns only what a page needs before sign-in', async () => {
    expect((await get('/api/config')).json()).toEqual({
      identity: {
        userPoolId: expect.stringMatching(/^us-west-2_\w{9}$/),
        userPoolClientId: expect.stringMatching(/^[a-z0-9]{26}$/),
        userPoolEndpoint: '/api/identity',
      },
      billing: { kind: 'none' },
      registration: 'open',
      analytics: { enabled: false },
      mails: 'outbox',
      website: 'https://afterword.example',
      publicUrl: 'http://localhost:8080',
    });
  });
});
