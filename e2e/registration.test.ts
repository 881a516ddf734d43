import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dana } from '#fixtures/business.ts';
import { SAMPLE_PASSWORD } from '../test/support/app.ts';
import { signInAsOperator } from '../test/support/operator.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, picture } from './support/journey.ts';

/* An installation where businesses come by invitation, and nobody chooses a plan. */

const MIA = 'mia@pier.test';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney({ REGISTRATION: 'invitation', BILLING: 'none', OPERATOR_EMAILS: dana.data.emailAddress });
});
afterAll(() => journey.stop());

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).first();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

it('leads nobody to sign up who was not invited, and whoever was straight to their first place', async () => {
  const { page, close } = await journey.visit({ viewport: DESKTOP });
  await page.goto('/signup');
  await heading(page, 'New accounts come by invitation').waitFor();
  await picture(page, 'sign-up-by-invitation-1440');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await button(page, 'Sign in').waitFor();
  expect(await page.getByRole('link', { name: 'Sign up' }).count()).toBe(0);

  const business = { companyName: 'Pier 9', displayName: 'Mia Chen', emailAddress: MIA };
  await journey.app.call('account', 'invite', business, await signInAsOperator(journey.app));
  const [link = ''] = /\/#invite=[\w-]+/.exec(await journey.app.mailTo(MIA, '#invite=')) ?? [];
  await page.goto(link);
  await heading(page, 'Open the account of Pier 9').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(SAMPLE_PASSWORD);
  await page.getByLabel(/I accept the Terms/).check();
  await expectAccessible(page);
  await picture(page, 'open-account-1440');
  await button(page, 'Open my account').click();
  await heading(page, 'Get Started').waitFor();
  expect(await page.getByRole('list', { name: 'Steps' }).getByRole('listitem').allInnerTexts()).toHaveLength(2);
  await picture(page, 'get-started-without-plans-1440');
  await button(page, 'Go to my dashboard').click();
  await heading(page, 'All feedback').waitFor();
  await page.goto('/account/administration');
  await heading(page, 'Administration').waitFor();
  await heading(page, 'Webhooks').waitFor();
  expect(await page.getByRole('heading', { name: 'Plan' }).count()).toBe(0);
  await close();
});
