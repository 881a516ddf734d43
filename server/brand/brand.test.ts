import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LARGEST_LOGO } from '#contract/brand/brand.ts';
import { ACCOUNT_ID, dana, pier, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';
import { PATIENT } from '../../test/support/patience.ts';

/** The most bytes of a form's first response. */
const FIRST_SCREEN = 14_336;

let app: TestApp;
let admin: string;
let member: string;
beforeAll(async () => {
  app = await openTestApp({ also: addOtherAccount });
  [admin, member] = [await app.signIn(dana.data.emailAddress), await app.signIn(sam.data.emailAddress)];
});
afterAll(() => app.stop());
beforeEach(() => app.stored('delete from brand'));

const save = (data: object, token = admin) => app.call('brand', 'save', { payload: { id: ACCOUNT_ID, data } }, token);
const get = async (token = member) => (await app.call('brand', 'get', { accountId: ACCOUNT_ID }, token)).body.brand.data;
const changes = async (): Promise<number> => (await app.stored("select 1 from event where name = 'brand.changed'")).length;
const openForm = async (query = '') => {
  const { body, headers } = await app.app.http.inject(`/feedback/${pier.data.formId}${query}`);
  return { page: body, policy: String(headers['content-security-policy']) };
};

/** Returns a picture with as much detail as one can have. */
async function picture(width: number, height: number): Promise<string> {
  const pixels = Buffer.from(Array.from({ length: width * height * 3 }, (_, index) => (index * 2_654_435_761) % 251));
  const file = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${file.toString('base64')}`;
}

describe('a brand', () => {
  it('is the standard look until an admin changes it, part by part', async () => {
    expect(await get()).toEqual({ corners: 'soft' });
    expect((await save({ corners: 'round' }, member)).body.code).toBe('not-allowed');
    const before = await changes();
    await save({ accent: ' #FFD400 ' });
    await save({ corners: 'round' });
    expect(await get()).toEqual({ accent: '#ffd400', corners: 'round' });
    await save({ corners: 'round' });
    expect((await changes()) - before).toBe(2);
    await save({ accent: null });
    expect(await get()).toEqual({ corners: 'round' });
  });

  it.each([
    ['accent', { accent: 'red' }],
    ['accent', { accent: '#fff' }],
    ['accent', { accent: '#ffffff;}body{display:none' }],
    ['corners', { corners: 'star' }],
    ['logo.alt', { logo: { alt: ' ' } }],
    ['logo.alt', { logo: { alt: 'x'.repeat(81) } }],
    ['logo.picture', { logo: { alt: 'Harbor Coffee' } }],
    ['logo.picture', { logo: { alt: 'Harbor Coffee', picture: 'data:image/svg+xml;base64,PHN2Zy8+' } }],
    ['logo.picture', { logo: { alt: 'Harbor Coffee', picture: 'data:image/png;base64,AAAA' } }],
  ])('is refused naming %s for %o', async (field, data) => {
    const { body } = await save(data);
    expect([body.code, body.errors[0].path]).toEqual(['bad-input', `payload.data.${field}`]);
  });

  it('has the changes of all who save at the same time', async () => {
    await Promise.all([save({ accent: '#0a5563' }), save({ corners: 'round' })]);
    expect(await get()).toEqual({ accent: '#0a5563', corners: 'round' });
  });

  it('belongs to its account', async () => {
    await save({ accent: '#0a5563' });
    const sent = { payload: { id: otherAccount.accountId, data: { accent: '#0a5563' } } };
    expect((await app.call('brand', 'save', sent, admin)).body).toEqual({ status: 'not found' });
    const foreignToken = await app.signIn(otherAccount.email);
    expect((await app.call('brand', 'get', { accountId: otherAccount.accountId }, foreignToken)).body.brand.data).toEqual({
      corners: 'soft',
    });
  });
});

describe('a logo', () => {
  it('is drawn again, at most 3 kB, with its size and its description', async () => {
    for (const [width, height] of [
      [800, 200],
      [300, 300],
      [40, 20],
    ] as const) {
      const { logo } = (await save({ logo: { picture: await picture(width, height), alt: ' Harbor Coffee ' } })).body.brand.data;
      expect(logo.picture).toMatch(/^data:image\/webp;base64,/);
      expect(logo.picture.length).toBeLessThanOrEqual(LARGEST_LOGO);
      expect(logo.alt).toBe('Harbor Coffee');
      expect([logo.width <= 200, logo.height <= 56]).toEqual([true, true]);
      expect(logo.width / logo.height).toBeCloseTo(width / height, 0);
    }
    await save({ logo: { alt: 'Our lighthouse' } });
    expect((await get()).logo).toMatchObject({ alt: 'Our lighthouse', picture: expect.stringMatching(/^data:/) });
    await save({ logo: null });
    expect((await get()).logo).toBeUndefined();
  });
});

describe('the form of a brand', () => {
  it('has its logo and its readable accents in the first response, which stays below 14 kB', async () => {
    await save({ accent: '#ffd400', corners: 'square', logo: { picture: await picture(800, 200), alt: 'Harbor & Sons' } });
    await vi.waitFor(async () => expect((await openForm()).page).toContain('Harbor &amp; Sons'), PATIENT);
    for (const query of ['', '?lang=ja', '?test=1']) {
      const { page, policy } = await openForm(query);
      const [, style = ''] = /<style>(:root\{--accent[^<]+)<\/style>/.exec(page) ?? [];
      expect(style).toBe(
        ':root{--accent:#856e00;--on-accent:#ffffff;--corner:0}[data-theme="dark"]{--accent:#ffd400;--on-accent:#14141a;--corner:0}',
      );
      expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
      expect(gzipSync(page).length).toBeLessThanOrEqual(FIRST_SCREEN);
    }
    await save({ accent: null, corners: 'soft', logo: null });
    await vi.waitFor(async () => expect((await openForm()).page).not.toContain('Harbor &amp; Sons'), PATIENT);
    expect((await openForm()).page.match(/<style>/g)).toHaveLength(1);
  });
});
