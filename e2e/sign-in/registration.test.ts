import { afterAll, beforeAll, expect, it } from 'vitest';
import { dana } from '#fixtures/business.ts';
import { SAMPLE_PASSWORD } from '../../test/support/app.ts';
import { signInAsOperator } from '../../test/support/operator.ts';
import { button, anyHeading as heading } from '../support/dashboard.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, picture } from '../support/journey.ts';

/* An installation with registration by invitation and without billing. */

const MIA = 'mia@pier.test';
/** Words that no page shows without billing. */
const MONEY = /\b(?:plans?|prices?|trial|paid|pay|payments?|billing)\b|\$/i;

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney({ REGISTRATION: 'invitation', BILLING: 'none', OPERATOR_EMAILS: dana.data.emailAddress });
});
afterAll(() => journey.stop());

it('offers sign-up only by invitation, and takes an invited business straight to its first property', async () => {
  const { page, close } = await journey.visit({ viewport: DESKTOP });
  await page.goto('/signup');
  await heading(page, 'New accounts are by invitation').waitFor();
  await picture(page, 'sign-up-by-invitation-1440');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await button(page, 'Sign in').waitFor();
  expect(await page.getByRole('link', { name: 'Sign up' }).count()).toBe(0);

  const business = { companyName: 'Pier 9', displayName: 'Mia Chen', emailAddress: MIA };
  await journey.app.call('account', 'invite', business, await signInAsOperator(journey.app));
  const [link = ''] = /\/#invite=[\w-]+/.exec(await journey.app.mailTo(MIA, '#invite=')) ?? [];
  await page.goto(link);
  await heading(page, 'Set up Pier 9').waitFor();
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
  expect(await page.getByText(MONEY).count()).toBe(0);
  await button(page, 'Pier 9, account').click();
  const account = page.getByRole('dialog', { name: 'Account' });
  await account.getByRole('link', { name: 'Open administration' }).waitFor();
  expect(await account.getByText(MONEY).count()).toBe(0);
  await page.goto('/account/administration?panel=plan');
  await heading(page, 'Webhooks').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.goto('/pay?_ptxn=txn_01');
  await heading(page, "You've reached a page that isn't available.").waitFor();
  expect(await page.getByText(MONEY).count()).toBe(0);
  await close();
});

it('still shows the sample business’s payments in the demo, marked as test mode', async () => {
  const { page, close } = await journey.visit({ viewport: DESKTOP });
  await page.goto('/demo/account/administration?panel=plan');
  const panel = page.getByRole('dialog', { name: 'Plan' });
  await panel.getByText('Your plan is paid.').waitFor();
  await panel.getByText('Test mode: no money moves.').waitFor();
  await panel.getByText('$240.00').first().waitFor();
  await close();
});
