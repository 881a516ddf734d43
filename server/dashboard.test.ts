import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../test/support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ settings: { WEBSITE: 'https://afterword.example' } });
});
afterAll(() => app.stop());

const get = (url: string) => app.app.http.inject(url);

describe('the team’s page', () => {
  it.each(['/', '/urgent', '/demo', '/properties/pier-4/feedback?range=week', '/anything/else'])('stands at %s', async (url) => {
    const { statusCode, body, headers } = await get(url);
    expect(statusCode).toBe(200);
    expect(body).toContain('<div id="dashboard">');
    expect(headers['cache-control']).toBe('no-store');
  });

  it.each(['/favicon.ico', '/robots.txt', '/wp-login.php', '/api/nothing', '/assets/nothing.js', '/.env'])(
    'does not stand at %s',
    async (url) => {
      const { statusCode, headers } = await get(url);
      expect(statusCode).toBe(404);
      expect(headers['content-type']).toMatch('application/problem+json');
    },
  );

  it('runs what carries the answer’s own nonce, and nothing else', async () => {
    const [one, other] = [await get('/'), await get('/')];
    const nonceOf = ({ headers }: typeof one) => /script-src 'self' 'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1];
    expect(nonceOf(one)).not.toBe(nonceOf(other));
    expect(one.body).toContain(`nonce="${nonceOf(one)}"`);
    expect(one.body).not.toContain('__NONCE__');
    expect(String(one.headers['content-security-policy'])).not.toMatch(/unsafe|\*|https?:/);
    expect(String(one.headers['content-security-policy'])).toMatch(/; require-trusted-types-for 'script'; trusted-types default$/);
    for (const script of one.body.match(/<script(?![^>]*src=)[^>]*>/g) ?? []) expect(script).toContain('nonce=');
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

  it('has the product’s own page drop the cache, and no storage', async () => {
    expect(await sentFrom('same-origin')).toEqual([204, '"cache"', 'no-store']);
  });
});

describe('GET /api/config', () => {
  it('answers what a page needs before sign-in, and no more', async () => {
    expect((await get('/api/config')).json()).toEqual({
      identity: {
        userPoolId: expect.stringMatching(/^us-west-2_\w{9}$/),
        userPoolClientId: expect.stringMatching(/^[a-z0-9]{26}$/),
        userPoolEndpoint: '/api/identity',
      },
      billing: { kind: 'none' },
      analytics: { enabled: false },
      website: 'https://afterword.example',
    });
  });
});
