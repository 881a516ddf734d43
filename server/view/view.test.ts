import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FormViews } from '#contract/view/view.ts';
import { ACCOUNT_ID, airport, oldTown, pier } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';
import { formOf, newKey, submission } from '../../test/support/submission.ts';

const DAY = 86_400_000;
/** A minute before the end of a UTC day. */
let at = Date.UTC(2026, 10, 20, 23, 59);
let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await openTestApp({ clock: () => at, also: addOtherAccount });
  token = await app.signIn();
});
afterAll(() => app.stop());

const track = (formId: string) => app.call('view', 'track', { formId });
const list = async (sent: object): Promise<FormViews[]> => (await app.call('view', 'list', sent, token)).body.views;
const views = (formId: string, propertyId: string, day: string, count: number): FormViews => ({ formId, propertyId, day, count });

describe('openings', () => {
  it('are all counted when concurrent', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => track((index % 3 === 0 ? oldTown : pier).data.formId)));
    expect(answers.every(({ body }) => body.status === 'ok')).toBe(true);
    expect(await list({ accountId: ACCOUNT_ID })).toEqual([
      views(oldTown.data.formId, oldTown.id, '2026-11-20', 20),
      views(pier.data.formId, pier.id, '2026-11-20', 40),
    ]);
  });

  it('are counted on their UTC day', async () => {
    at += 2 * 60_000;
    await track(pier.data.formId);
    expect(await list({ propertyId: pier.id })).toEqual([
      views(pier.data.formId, pier.id, '2026-11-20', 40),
      views(pier.data.formId, pier.id, '2026-11-21', 1),
    ]);
    const midnight = Date.UTC(2026, 10, 21);
    expect(await list({ propertyId: pier.id, from: midnight })).toMatchObject([{ day: '2026-11-21' }]);
    expect(await list({ propertyId: pier.id, to: midnight })).toMatchObject([{ day: '2026-11-20' }]);
    expect(await list({ propertyId: pier.id, from: midnight + DAY })).toEqual([]);
  });

  it('are counted for the form’s page, but not for a prefetch or a return to the form', async () => {
    const open = (url: string, headers: Record<string, string> = {}) => app.app.http.inject({ url: `/feedback/${url}`, headers });
    const { formId } = airport.data;
    await open(formId);
    await open(formId, { 'sec-purpose': 'prefetch' });
    const key = newKey();
    await app.call('feedback', 'save', submission({ rating: 4 }, { key, form: formOf(formId) }));
    await open(`${formId}?key=${key}`);
    await app.app.http.inject({ method: 'HEAD', url: `/feedback/${formId}` });
    await track(formId);
    expect(await list({ propertyId: airport.id })).toEqual([views(formId, airport.id, '2026-11-21', 2)]);
    // An unknown or expired key starts a new visit.
    await open(`${formId}?key=${'k'.repeat(24)}`);
    await expect.poll(() => list({ propertyId: airport.id })).toEqual([views(formId, airport.id, '2026-11-21', 3)]);
  });

  it('store nothing about the visitor', async () => {
    const [row] = await app.stored('select * from view limit 1');
    expect(Object.keys(row ?? {}).sort()).toEqual(['account_id', 'count', 'day', 'form_id', 'property_id']);
  });
});

describe('a form', () => {
  it('is “not found” if unknown, and refused if closed', async () => {
    expect((await track('FORM_nobody')).body).toEqual({ status: 'not found' });
    await app.stored('update form set closed = now() where id = $1', [otherAccount.formId]);
    const { status, body } = await track(otherAccount.formId);
    expect([status, body.code]).toEqual([410, 'form-closed']);
  });
});

describe('the list', () => {
  it('hides another account’s openings', async () => {
    expect(await list({ propertyId: otherAccount.propertyId })).toEqual([]);
    expect((await app.call('view', 'list', { accountId: otherAccount.accountId }, token)).status).toBe(404);
    expect((await app.call('view', 'list', { accountId: ACCOUNT_ID })).status).toBe(401);
  });
});
