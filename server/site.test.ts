import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../test/support/app.ts';

let plain: TestApp;
let filled: TestApp;
beforeAll(async () => {
  plain = await openTestApp({ settings: { PUBLIC_URL: 'http://localhost:8080' } });
  const legal = { LEGAL_NAME: 'Smith & <Sons>', LEGAL_EMAIL: 'data@smith.example' };
  filled = await openTestApp({
    settings: { ...legal, TERMS_URL: 'https://smith.example/terms', SMTP_URL: 'smtp://127.0.0.1:1', BILLING: 'sandbox' },
  });
});
afterAll(() => Promise.all([plain.stop(), filled.stop()]));

const get = ({ app }: TestApp, url: string, headers = {}) => app.http.inject({ url, headers });

describe('the site’s own pages', () => {
  it.each([
    ['/about', 'Feedback from the people who visit your business'],
    ['/privacy', 'Privacy policy'],
    ['/terms', 'Terms of service'],
  ])('%s is served without scripts', async (url, title) => {
    const { statusCode, headers, body } = await get(plain, url);
    expect(statusCode).toBe(200);
    expect(body).toContain(`<h1>${title}</h1>`);
    expect(body).not.toMatch(/<script|undefined|\[object/);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
  });

  it('show the form and the feed in both themes, at a known size', async () => {
    const { body, headers } = await get(plain, '/about');
    const sources = body.match(/\/about\/[\w-]+\.webp/g) ?? [];
    expect(sources).toHaveLength(4);
    expect(body.match(/<img [^>]*width="375" height="640" alt="[^"]+">/g)).toHaveLength(2);
    expect(headers['content-security-policy']).toContain("img-src 'self'");
    for (const source of sources) {
      const picture = await get(plain, source);
      expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/webp']);
    }
  });

  it('link to a sample form only while there is one', async () => {
    expect((await get(plain, '/about')).body).toContain('href="/feedback/FORM_Pier04"');
    await filled.stored('update form set closed = now()');
    expect((await get(filled, '/about')).body).not.toContain('FORM_Pier04');
  });

  it('name the price only where there is one', async () => {
    const price = '$25/month, or $240/yr (20% savings). All plans come with a 20 day free trial.';
    expect((await get(filled, '/about')).body).toContain(price);
    expect((await get(plain, '/about')).body).not.toMatch(/\$|trial/);
  });

  it('name the operator, or the host if no name is set', async () => {
    expect((await get(plain, '/privacy')).body).toContain('run by the operator of localhost:8080');
    const { body } = await get(filled, '/privacy');
    expect(body).toContain('run by Smith &amp; &lt;Sons&gt;');
    expect(body).toContain('<a href="mailto:data@smith.example">data@smith.example</a>');
  });

  it('redirect to the operator’s pages', async () => {
    const { statusCode, headers } = await get(filled, '/terms');
    expect([statusCode, headers.location]).toEqual([302, 'https://smith.example/terms']);
  });
});

describe('the location of mails', () => {
  const mails = async (app: TestApp, headers = {}) => (await get(app, '/api/config', headers)).json().mails;

  it('is the outbox on this machine, and with the operator for everyone else', async () => {
    expect(await mails(plain, { host: 'localhost:8080' })).toBe('outbox');
    expect((await get(plain, '/outbox', { host: 'localhost:8080' })).statusCode).toBe(200);
    const forwarded = { host: 'localhost:8080', 'x-forwarded-for': '203.0.113.4' };
    expect(await mails(plain, forwarded)).toBe('kept');
    expect((await get(plain, '/outbox', forwarded)).statusCode).toBe(404);
  });

  it('is the mailbox if a mail server is set', async () => {
    expect(await mails(filled, { host: 'localhost:8080' })).toBe('sent');
  });
});
