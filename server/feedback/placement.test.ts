import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { placementOf } from '#contract/core/ids.ts';
import { QUARTER_HOUR } from '#contract/core/time.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { RATINGS, type Rating } from '#contract/feedback/rating.ts';
import { average } from '#contract/feedback/tally.ts';
import { formPath } from '#contract/form/form-page.ts';
import { ACCOUNT_ID, dana, oldTown, pier, terrace, till } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { formOf, newKey, submission } from '../../test/support/submission.ts';

/* Placements and tests: how answers carry them, and how they count. */

let app: TestApp;
let token: string;
/** All feedback here is sent in one quarter of an hour, one millisecond apart. */
const start = Date.UTC(2026, 10, 22, 12);
let now = start;
beforeAll(async () => {
  app = await openTestApp({ clock: () => (now += 1) });
  token = await app.signIn(dana.data.emailAddress);
});
afterAll(() => app.stop());

const AT_TILL = placementOf(till.id);
const span = { from: start, to: start + QUARTER_HOUR };

interface AnswerOrigin {
  readonly at?: string;
  readonly test?: true;
  readonly key?: string;
  readonly propertyForm?: string;
}

async function rate(rating: Rating, { key = newKey(), propertyForm, ...origin }: AnswerOrigin = {}): Promise<{ id: string; key: string }> {
  const { idempotencyKey, payload } = submission({ rating }, { key, form: formOf(propertyForm) });
  const { status, body } = await app.call('feedback', 'save', { idempotencyKey, payload: { data: { ...payload.data, ...origin } } });
  expect(status).toBe(200);
  return { id: body.feedback.id, key };
}
const ask = async (action: string, sent: object) => (await app.call('feedback', action, sent, token)).body;
const feedbackOf = async (feedbackId: string): Promise<Feedback['data']> => (await ask('get', { feedbackId })).feedback.data;
const listFeedback = async (query: object): Promise<Feedback[]> => (await ask('list', { ...span, limit: 100, ...query })).feedback;
const summary = (query: object) => ask('summary', { ...span, zone: 'UTC', ...query });
const eventsOf = async (id: string) =>
  (await app.stored<{ name: string }>('select name from event where subject = $1 order by id', [id])).map(({ name }) => name);

describe('an answer', () => {
  it('stores the placement whose code was opened', async () => {
    expect(await feedbackOf((await rate(4, { at: AT_TILL })).id)).toMatchObject({ toolId: till.id });
    expect(await feedbackOf((await rate(4)).id)).not.toHaveProperty('toolId');
  });

  it('is stored without a placement that is unknown, deleted or another property’s', async () => {
    const { tool } = (await app.call('tool', 'save', { payload: { data: { propertyId: pier.id, displayName: 'Bar' } } }, token)).body;
    await app.call('tool', 'delete', { toolId: tool.id }, token);
    for (const at of ['nobodyhere', placementOf(tool.id)])
      expect(await feedbackOf((await rate(3, { at })).id)).not.toHaveProperty('toolId');
    const atOldTown = await rate(3, { at: AT_TILL, propertyForm: oldTown.data.formId });
    expect(await feedbackOf(atOldTown.id)).not.toHaveProperty('toolId');
  });

  it('is refused by the data API if its placement isn’t ten letters and digits', async () => {
    const { idempotencyKey, payload } = submission({ rating: 4 });
    const { body } = await app.call('feedback', 'save', { idempotencyKey, payload: { data: { ...payload.data, at: '../till' } } });
    expect([body.code, body.errors[0].path]).toEqual(['bad-input', 'payload.data.at']);
  });

  it('gets its placement from the address without JavaScript, and is stored even if that is invalid', async () => {
    const { formId } = pier.data;
    const gauge = submission({ rating: 2 }).payload.data.responses[0]?.uuid ?? '';
    for (const [address, toolId] of [
      [formPath(formId, { at: AT_TILL }), till.id],
      [`${formPath(formId)}?at=${'x'.repeat(11)}&at=1`, undefined],
      [`${formPath(formId)}?at=a%00b`, undefined],
    ] as const) {
      const answer = await app.app.http.inject({
        method: 'POST',
        url: address,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ key: newKey(), [gauge]: '2' }).toString(),
      });
      expect(answer.statusCode).toBe(303);
      const [newest] = await listFeedback({ propertyId: pier.id });
      expect(newest?.data.toolId).toBe(toolId);
    }
  });
});

describe('lists and counts', () => {
  it('are limited to a placement, which must belong to the property', async () => {
    await rate(5, { at: placementOf(terrace.id) });
    const items = await listFeedback({ propertyId: pier.id, toolId: terrace.id });
    expect(items.map(({ data }) => data.toolId)).toEqual([terrace.id]);
    expect(await summary({ accountId: ACCOUNT_ID, toolId: terrace.id })).toMatchObject({ ratings: [0, 0, 0, 0, 1] });
    for (const query of [
      { propertyId: oldTown.id, toolId: terrace.id },
      { accountId: ACCOUNT_ID, toolId: 'TOOL_nobodyhere' },
    ]) {
      expect(await ask('list', query)).toEqual({ status: 'not found' });
      expect(await summary(query)).toEqual({ status: 'not found' });
    }
  });

  it('of a placement match a recount after ratings, amendments and set-aside answers', async () => {
    const ratingIndex = (index: number) => ((index * 7) % 5) as 0 | 1 | 2 | 3 | 4;
    const sent = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        rate(RATINGS[ratingIndex(index)] ?? 3, { at: placementOf(index % 3 ? till.id : terrace.id) }),
      ),
    );
    for (const { key } of sent.slice(0, 12)) await rate(1, { key });
    await app.stored('update feedback set suspected = false where id = any($1)', [sent.slice(8, 16).map(({ id }) => id)]);
    await ask('trust', { feedbackIds: sent.slice(8, 16).map(({ id }) => id), counts: false });
    await ask('trust', { feedbackIds: sent.slice(8, 10).map(({ id }) => id), counts: true });
    const { placements } = await ask('placements', { propertyId: pier.id, ...span });
    expect(placements.map(({ toolId }: { toolId: string }) => toolId)).toEqual([terrace.id, till.id]);
    for (const { toolId, ratings } of placements) {
      const items = await listFeedback({ propertyId: pier.id, toolId });
      expect(ratings).toEqual(RATINGS.map((rating) => items.filter(({ data }) => data.rating === rating).length));
      const { trend: _trend, ...counts } = await summary({ propertyId: pier.id, toolId });
      expect(counts).toEqual({
        status: 'ok',
        ratings,
        urgent: items.filter(({ gs1sk }) => gs1sk === 'URGENT').length,
        suspected: toolId === till.id ? 4 : 2,
      });
      expect(average(ratings)).toBeCloseTo(items.reduce((sum, { data }) => sum + data.rating, 0) / items.length);
    }
    const { properties } = await ask('overview', { accountId: ACCOUNT_ID, ...span, zone: 'UTC' });
    expect(properties.map(({ propertyId }: { propertyId: string }) => propertyId)).toEqual([pier.id, oldTown.id].sort());
  });

  it('of placements are “not found” for an unknown property, and omit deleted placements', async () => {
    expect(await ask('placements', { propertyId: 'PROPERTY_NobodyHere', ...span })).toEqual({ status: 'not found' });
    await app.call('tool', 'delete', { toolId: terrace.id }, token);
    const { placements } = await ask('placements', { propertyId: pier.id, ...span });
    expect(placements.map(({ toolId }: { toolId: string }) => toolId)).toEqual([till.id]);
  });
});

describe('a test answer', () => {
  it('is shown as a test, and is in no count or alert', async () => {
    const inbox = () => ask('inbox', { accountId: ACCOUNT_ID });
    const before = await Promise.all([summary({ accountId: ACCOUNT_ID }), summary({ accountId: ACCOUNT_ID, toolId: till.id }), inbox()]);
    const { id, key } = await rate(4, { test: true, at: AT_TILL });
    await rate(1, { key });
    expect(await feedbackOf(id)).toMatchObject({ test: true, rating: 1 });
    expect((await listFeedback({ propertyId: pier.id }))[0]?.id).toBe(id);
    expect((await listFeedback({ propertyId: pier.id, kind: 'urgent' })).map((item) => item.id)).not.toContain(id);
    expect((await listFeedback({ propertyId: pier.id, waiting: true })).map((item) => item.id)).not.toContain(id);
    expect(await Promise.all([summary({ accountId: ACCOUNT_ID }), summary({ accountId: ACCOUNT_ID, toolId: till.id }), inbox()])).toEqual(
      before,
    );
    expect(await eventsOf(id)).toEqual(['feedback.submitted', 'feedback.amended']);
    expect(await eventsOf((await rate(1, { test: true })).id)).toEqual(['feedback.submitted']);
  });

  it('is deleted by any teammate, unlike a real answer', async () => {
    const [real, test] = [await rate(5), await rate(2, { test: true })];
    expect(await ask('discard', { feedbackIds: [real.id] })).toEqual({ status: 'not found' });
    const before = await summary({ accountId: ACCOUNT_ID });
    expect(await ask('discard', { feedbackIds: [real.id, test.id] })).toEqual({ status: 'ok', feedbackIds: [test.id] });
    expect(await ask('get', { feedbackId: test.id })).toEqual({ status: 'not found' });
    expect(await feedbackOf(real.id)).toMatchObject({ rating: 5 });
    expect(await summary({ accountId: ACCOUNT_ID })).toEqual(before);
    expect(await eventsOf(test.id)).toEqual(['feedback.submitted', 'feedback.discarded']);
  });

  it('comes from the test page, also without JavaScript, and that page counts no visit', async () => {
    const address = formPath(pier.data.formId, { test: true });
    const views = async () => (await app.call('view', 'list', { accountId: ACCOUNT_ID }, token)).body.views;
    expect((await app.app.http.inject(formPath(pier.data.formId))).body).not.toContain('A test:');
    await vi.waitFor(async () => expect(await views()).toHaveLength(1), PATIENT);
    expect((await app.app.http.inject(address)).body).toContain('This is a test. The answer is marked and isn’t counted.');
    expect((await app.app.http.inject(formPath(pier.data.formId))).statusCode).toBe(200);
    await vi.waitFor(async () => expect(await views()).toMatchObject([{ count: 2 }]), PATIENT);
    const gauge = submission({ rating: 2 }).payload.data.responses[0]?.uuid ?? '';
    await app.app.http.inject({
      method: 'POST',
      url: address,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ key: newKey(), [gauge]: '2' }).toString(),
    });
    expect((await listFeedback({ propertyId: pier.id }))[0]?.data).toMatchObject({ test: true, rating: 2 });
  });
});
