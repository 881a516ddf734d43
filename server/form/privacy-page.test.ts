import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { privacyPath } from '#contract/form/form-page.ts';
import { LANGUAGE_TAGS } from '#contract/language/languages.ts';
import { airport, oldTown, pier } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { PATIENT } from '../../test/support/patience.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await openTestApp();
  token = await app.signIn();
});
afterAll(() => app.stop());

const read = (url: string, headers: Record<string, string> = {}) => app.app.http.inject({ url, headers });
const page = async ({ data } = pier): Promise<string> => (await read(privacyPath(data.formId))).body;
const save = (data: object, { id } = pier) => app.call('property', 'save', { payload: { id, data } }, token);
const eventsOf = (name: string) => app.stored('select data from event where name = $1 order by id', [name]);

describe('a privacy page', () => {
  it('names what the form stores, its review sites, and whom to ask', async () => {
    const answer = await read(privacyPath(pier.data.formId));
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([200, undefined]);
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    for (const text of [
      '<h1>Privacy at Pier 4</h1>',
      'Your name, phone number or email address, only if you ask to be contacted',
      'If you open a review on Google or Yelp, their rules apply there.',
      'Until Harbor Coffee deletes it.',
      'have it corrected or deleted, ask Harbor Coffee.',
      'href="/privacy"',
    ])
      expect(answer.body).toContain(text);
    expect(await page(airport)).not.toContain('If you open a review');
  });

  it('mentions order numbers once a till can sign them', async () => {
    const order = 'The number of your order';
    expect(await page(oldTown)).not.toContain(order);
    await app.call('property', 'receiptSecret', { propertyId: oldTown.id }, token);
    await vi.waitFor(async () => expect(await page(oldTown)).toContain(order), PATIENT);
  });

  it('shows a change of the settings, which is recorded', async () => {
    await page();
    expect((await save({ retention: 12, privacyContact: ' Data+pier@harbor.coffee ' })).body.property.data.privacyContact).toBe(
      'Data+pier@harbor.coffee',
    );
    await vi.waitFor(async () => {
      const body = await page();
      expect(body).toContain('Words and contact details: 12 months.');
      expect(body).toContain('write to <a href="mailto:Data%2Bpier@harbor.coffee">Data+pier@harbor.coffee</a>.');
    }, PATIENT);
    await save({ privacyContact: null });
    await vi.waitFor(async () => expect(await page()).toContain('ask Harbor Coffee.'), PATIENT);
    expect(await eventsOf('property.privacy-contact-changed')).toEqual([{ data: {} }, { data: {} }]);
    const { body } = await save({ privacyContact: 'nobody' });
    expect(body.errors[0].path).toBe('payload.data.privacyContact');
  });

  it('is in the chosen language, the browser’s, or English', async () => {
    const { formId } = pier.data;
    for (const tag of LANGUAGE_TAGS) {
      const { body } = await read(privacyPath(formId, tag));
      expect(body).toContain(`<html lang="${tag}"`);
      expect(body).not.toMatch(/\{(?:place|business|services|period|answer|email)\}/);
    }
    expect((await read(privacyPath(formId), { 'accept-language': 'de-AT,en;q=0.5' })).body).toContain('Datenschutz bei Pier 4');
    expect((await read(privacyPath(formId, 'ar'))).body).toContain('dir="rtl"');
  });

  it('escapes names, and stays while the form is closed', async () => {
    await save({ displayName: '<b>Quay</b>' }, airport);
    await vi.waitFor(async () => expect(await page(airport)).toContain('Privacy at &lt;b&gt;Quay&lt;/b&gt;'), PATIENT);
    await app.call('form', 'close', { formId: airport.data.formId }, token);
    expect(await page(airport)).toContain('Privacy at');
  });

  it('isn’t found for an unknown form', async () => {
    for (const formId of ['FORM_NotHere', 'x'.repeat(300)]) expect((await read(privacyPath(formId))).statusCode).toBe(404);
  });

  it('is linked from the form in its language', async () => {
    expect((await read(`/feedback/${pier.data.formId}?lang=fr`)).body).toContain(`href="${privacyPath(pier.data.formId, 'fr')}"`);
  });
});
