import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LONGEST_NAME } from '#contract/core/names.ts';
import { dana, pier, sam, till } from '#fixtures/business.ts';
import { submission } from '../../test/support/submission.ts';
import { chooseFromListMenu, heading, rows, signIn, text } from '../support/dashboard.ts';
import { type BrowserVisit, DESKTOP, expectFit, type Journey, openJourney, PHONE, settled } from '../support/journey.ts';
import { expectGoodLooks } from '../support/looks.ts';

/* Every dashboard screen in every width and theme. `npm run pictures` saves them. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney({ BILLING: 'sandbox' });
});
afterAll(() => journey.stop());

interface Screen {
  readonly name: string;
  readonly path: string;
  /** The page's heading, or a wait until the screen is shown. */
  readonly shows: string | ((page: Page) => Promise<unknown>);
}

const dialog = (name: string | RegExp) => (page: Page) => page.getByRole('dialog', { name }).waitFor();
const isBelowAdministration = (page: Page) =>
  page.getByRole('link', { name: 'Administration' }).and(page.locator('nav [aria-current=page]')).waitFor();
const CONFIGURATION = '/properties/pier-4/configuration';

const OUTSIDE: readonly Screen[] = [
  { name: 'sign-in', path: '/', shows: 'Sign in' },
  { name: 'sign-up', path: '/signup', shows: 'Create An Account' },
  { name: 'docs', path: '/docs', shows: 'Docs' },
  { name: 'docs-page', path: '/docs/feedback', shows: (page) => page.locator('main h1').waitFor() },
];

const TEAM: readonly Screen[] = [
  { name: 'feed', path: '/', shows: async (page) => rows(page).first().waitFor() },
  {
    name: 'detail',
    path: '/?range=all',
    async shows(page) {
      await rows(page).first().click();
      await page.getByText('Received').first().waitFor();
    },
  },
  {
    name: 'filters',
    path: '/?range=all&rating=1&status=new',
    async shows(page) {
      await rows(page).first().waitFor();
    },
  },
  {
    name: 'select',
    path: '/?range=all',
    async shows(page) {
      await chooseFromListMenu(page, 'Select');
      await page.getByRole('checkbox', { name: 'Select all shown' }).check();
    },
  },
  { name: 'nothing-matches', path: '/urgent?q=xyzzy', shows: text('No feedback matches.') },
  { name: 'urgent', path: '/urgent', shows: async (page) => rows(page).first().waitFor() },
  { name: 'property', path: '/properties/pier-4/feedback', shows: pier.data.displayName },
  { name: 'properties', path: '/properties', shows: 'Properties' },
  { name: 'properties-panel', path: '/properties?panel=property', shows: dialog('Property') },
  { name: 'configuration-form', path: CONFIGURATION, shows: text('Title') },
  { name: 'configuration-services', path: `${CONFIGURATION}?tab=services`, shows: text('Google') },
  { name: 'configuration-share', path: `${CONFIGURATION}?tab=share`, shows: text('Table') },
  { name: 'configuration-notifications', path: `${CONFIGURATION}?tab=notifications`, shows: text('report') },
  { name: 'configuration-danger', path: `${CONFIGURATION}?tab=danger`, shows: text('Delete') },
  { name: 'overview', path: '/overview', shows: text('Over time') },
  { name: 'property-overview', path: '/properties/pier-4/overview', shows: text('Over time') },
  { name: 'account-panel', path: '/?panel=account', shows: dialog('Account') },
  { name: 'pay', path: '/pay', shows: (page) => page.locator('h1').waitFor() },
  {
    name: 'palette',
    path: '/properties',
    async shows(page) {
      await heading(page, 'Properties').waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').waitFor();
    },
  },
  { name: 'users', path: '/account/user-management', shows: 'Users' },
  { name: 'user-panel', path: `/account/user-management?panel=user&user=${sam.id}`, shows: dialog('User') },
  { name: 'administration', path: '/account/administration', shows: 'Administration' },
  { name: 'brand', path: '/account/brand', shows: 'Brand' },
  {
    name: 'deliveries',
    path: '/account/deliveries',
    async shows(page) {
      await page.getByText('Sent messages').first().waitFor();
      await isBelowAdministration(page);
    },
  },
  {
    name: 'webhooks',
    path: '/account/webhooks',
    async shows(page) {
      await isBelowAdministration(page);
      await page.getByRole('button', { name: 'Add webhook' }).click();
      await page.getByRole('dialog', { name: 'Add webhook' }).waitFor();
    },
  },
  { name: 'profile', path: '/profile', shows: 'Profile' },
  {
    name: 'profile-panel',
    path: '/properties',
    async shows(page) {
      await page.getByRole('button', { name: /your account/ }).click();
      await page.getByRole('menuitem', { name: 'Profile' }).click();
      await page.getByRole('dialog', { name: 'Profile' }).getByText('Single-key shortcuts').waitFor();
    },
  },
  { name: 'password-panel', path: '/profile?panel=password', shows: dialog('Change password') },
  { name: 'feedback-panel', path: '/?panel=internal-feedback', shows: dialog('Send feedback') },
  { name: 'bug-panel', path: '/?panel=report-bug', shows: dialog('Report a bug') },
  { name: 'not-available', path: '/nowhere', shows: text("You've reached a page that isn't available.") },
];

describe.each([
  ['outside', OUTSIDE, undefined],
  ['of a team', TEAM, dana.data.emailAddress],
] as const)('each screen %s is accessible and fits', (_area, screens, person) => {
  let visit: BrowserVisit;
  beforeAll(async () => {
    visit = await journey.visit({ viewport: DESKTOP });
    if (person === undefined) return;
    await visit.page.goto('/');
    await signIn(visit.page, person);
    await heading(visit.page, 'All feedback').waitFor();
  });
  // Removed, so that one broken screen fails one test.
  afterEach(() => expect(visit.complaints.splice(0)).toEqual([]));
  afterAll(() => visit.close());

  it.each(screens)('$name', async ({ name, path, shows }) => {
    await visit.page.goto(path);
    await (typeof shows === 'string' ? heading(visit.page, shows).waitFor() : shows(visit.page));
    await expectGoodLooks(visit.page, name);
  });
});

describe('the longest names fit on a phone', () => {
  const name = 'W'.repeat(LONGEST_NAME);
  const email = `${'w'.repeat(60)}@${'w'.repeat(60)}.test`;
  const place = `/properties/${name.toLowerCase()}`;
  let visit: BrowserVisit;
  const shown = (words: string) => visit.page.getByText(words).filter({ visible: true }).first();
  beforeAll(async () => {
    const { app } = journey;
    await app.stored('update account set display_name = $1', [name]);
    await app.stored('update "user" set display_name = $1', [name]);
    await app.stored('update property set display_name = $1 where id = $2', [name, pier.id]);
    await app.stored('update tool set display_name = $1 where id = $2', [name, till.id]);
    await app.call('feedback', 'save', submission({ rating: 1, text: name, contact: { answer: 'Yes', name, email } }));
    visit = await journey.visit({ viewport: PHONE });
    await visit.page.goto('/');
    await signIn(visit.page);
    await rows(visit.page).first().waitFor();
  });
  afterAll(() => visit.close());

  it.each([
    '/?range=all',
    `${place}/feedback`,
    `${place}/overview`,
    `${place}/configuration?tab=services`,
    `${place}/configuration?tab=share`,
    '/properties',
    '/account/user-management',
  ])('%s', async (path) => {
    await visit.page.goto(path);
    await shown(name).waitFor();
    await settled(visit.page);
    await expectFit(visit.page);
  });

  it('a contact', async () => {
    await visit.page.goto('/?range=all&kind=contact+me');
    await rows(visit.page).first().click();
    await shown(email).waitFor();
    await settled(visit.page);
    const detail = visit.page.getByRole('article');
    expect(await detail.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
    await expectFit(visit.page);
  });
});
