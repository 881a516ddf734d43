import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ID, pier } from '#fixtures/business.ts';
import { rows, signIn } from '../support/dashboard.ts';
import { DESKTOP, type Journey, openJourney, PHONE } from '../support/journey.ts';
import { expectGoodLooks } from '../support/looks.ts';

/* The number of results of a search, a filter and the urgent feed. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

/** Adds complaints numbered `from` to `to`, inclusive. */
const addComplaints = (from: number, to: number) =>
  journey.app.stored(
    `insert into feedback (account_id, id, property_id, form_id, form_version, key_hash, created, rating, urgent, kind, source, responses, text)
     select $1, 'EXPERIENCE_' || to_char(now() at time zone 'UTC', 'YYYYMMDD_') || (extract(epoch from now()) * 1000)::bigint || '_' || lpad(n::text, 5, '0'),
            $2, $3, 1, sha256(('complaint ' || n)::bytea), now(), 1, true, 'regular', 'open text', '[]', 'The door is squeaky'
       from generate_series($4::integer, $5::integer) n`,
    [ACCOUNT_ID, pier.id, pier.data.formId, from, to],
  );

async function openAt(address: string, viewport = DESKTOP) {
  const visit = await journey.visit({ viewport });
  await visit.page.goto(address);
  if (!address.startsWith('/demo')) await signIn(visit.page);
  await rows(visit.page).first().waitFor();
  return visit;
}

describe('the number of results', () => {
  it('is exact up to 10,000, and isn’t counted again for the next page', async () => {
    await addComplaints(1, 1_204);
    const { page, close } = await openAt('/?q=squeaky&range=all');
    await page.getByText('1,204 results').waitFor();
    await page.getByRole('button', { name: 'More for this list' }).click();
    await page.getByRole('menuitem', { name: 'Export 1,204 rows' }).waitFor();
    await page.keyboard.press('Escape');
    let counts = 0;
    page.on('request', (request) => {
      if (/"service":"feedback","action":"count"/.test(request.postData() ?? '')) counts += 1;
    });
    await page.getByRole('button', { name: 'Load 25 more' }).click();
    await page.getByText('50 of 1,204').waitFor();
    expect(counts).toBe(0);
    await expectGoodLooks(page, 'results-of-a-search');
    await close();
  });

  it('shows how many visitors wait, and how many of them match a filter', async () => {
    const { page, close } = await openAt('/urgent?q=squeaky', PHONE);
    await page.getByText('1,204 results').waitFor();
    await page.getByText(/^1,2\d\d visitors are waiting, longest first$/).waitFor();
    await close();
  });

  it('is 10,000+ beyond that', async () => {
    await addComplaints(1_205, 10_001);
    const { page, close } = await openAt('/urgent');
    await page.getByText('10,000+ visitors are waiting, longest first').waitFor();
    await page.getByText('10,000+ results').waitFor();
    await page.getByText('25 of 10,000+').waitFor();
    await page.getByRole('button', { name: 'More for this list' }).click();
    await page.getByRole('menuitem', { name: 'Export 10,000+ rows' }).waitFor();
    await page.keyboard.press('Escape');
    await expectGoodLooks(page, 'results-urgent');
    await close();
  });

  it('appears in the demo, too', async () => {
    const { page, close } = await openAt('/demo?q=the&range=all');
    await expect.poll(() => page.getByLabel('List').getByRole('status').first().textContent()).toMatch(/^\d[\d,]* results · All time$/);
    expect(await page.getByRole('button', { name: 'Load 25 more' }).count()).toBe(1);
    await close();
  });
});
