import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dana, oldTown, sam } from '#fixtures/business.ts';
import { button, hasFocus, heading, holdCalls, isOnTop, signIn } from '../support/dashboard.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, PHONE, picture, settled } from '../support/journey.ts';
import { expectGoodLooks } from '../support/looks.ts';

/* An admin creates a property, edits its form beside the preview, closes the form, and deletes the property. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const TABS = ['Share', 'Review services', 'Notifications', 'Privacy', 'Danger zone', 'Form'];
/** The tabs checked for accessibility; the others use the same components. */
const CHECKED_TABS = ['Review services', 'Form'];

it('creates a property, edits its form beside the preview, and confirms before anything is lost', async () => {
  // The deletion event can arrive before the response, and then the page requests the form once more.
  const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /400|404|409/ });
  await page.goto('/properties');
  await signIn(page);
  await heading(page, 'Properties').waitFor();
  await picture(page, 'properties-1440');

  await button(page, 'New property').click();
  const panel = page.getByRole('dialog', { name: 'Property' });
  await panel.getByLabel('Name').fill('PIER 4');
  await button(page, 'Create property').click();
  await panel.getByText('You already have a property with this name').waitFor();
  await panel.getByLabel('Name').fill('Quay 7');
  await panel.getByRole('checkbox', { name: 'Yelp' }).check();
  await panel.getByLabel('Yelp review URL').fill('yelp.de/biz/quay-7');
  await button(page, 'Create property').click();
  await heading(page, 'Quay 7').waitFor();
  await page.getByRole('link', { name: 'Share' }).and(page.locator('[aria-current=page]')).waitFor();
  await journey.app.mailTo('dana@harborcoffee.test', '/properties/quay-7/configuration');

  await page.getByRole('link', { name: 'Form', exact: true }).click();
  const preview = page.frameLocator('iframe');
  await page.getByLabel('Question').first().fill('How was your day at the quay?');
  await preview.getByRole('heading', { name: 'How was your day at the quay?' }).waitFor();
  await preview.getByRole('radio', { name: 'Good' }).check();
  await preview.getByText('What did you enjoy?').waitFor();
  await preview.getByRole('button', { name: 'Send' }).click();
  await preview.getByRole('link', { name: 'Find us on Yelp' }).click();
  await preview.getByRole('heading', { name: 'Spread the word' }).waitFor();
  await expectAccessible(page);
  await picture(page, 'form-editor-1440');
  await page.goBack();
  const warning = page.getByRole('dialog', { name: 'Leave without saving?' });
  await warning.getByRole('button', { name: 'Cancel' }).click();
  await warning.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Question').first().inputValue()).toBe('How was your day at the quay?');

  const token = await journey.app.signIn();
  const { property } = (await journey.app.call('property', 'get', { propertyId: 'quay-7' }, token)).body;
  const { formId } = property.data;
  await journey.app.call('form', 'save', { payload: { id: formId, data: { inviteToReview: 'everyone' } } }, token);
  await page.getByText(/Dana Moss saved another version at/).waitFor();
  expect(await button(page, 'Save form').isDisabled()).toBe(true);
  await button(page, 'Keep mine').click();
  await button(page, 'Save form').click();
  await page.getByText('Form saved. Visitors see it now.').waitFor();
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
  // The bar with the pressed button is gone.
  await expect.poll(() => hasFocus(page.getByRole('form', { name: 'Form', exact: true }))).toBe(true);
  await page.getByText('Version 3', { exact: true }).waitFor();
  const { body } = await journey.app.call('form', 'read', { formId }, token);
  expect([body.form.data.version, body.form.data.steps[0].title]).toEqual([3, 'How was your day at the quay?']);
  // Answers in the preview are not stored.
  expect(await journey.app.stored('select from feedback where form_id = $1', [formId])).toEqual([]);

  await page.getByRole('link', { name: 'Danger zone' }).click();
  await button(page, 'Close form').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close form' }).click();
  await page.getByText('This form is closed. Visitors see that it’s no longer open.').waitFor();
  await page.keyboard.press('Tab');
  await expect.poll(() => hasFocus(button(page, 'Reopen form'))).toBe(true);
  await button(page, 'Delete property').click();
  await page.getByRole('dialog').getByText('This deletes Quay 7, which has no answers yet.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete property' }).click();
  await page.getByText('Quay 7 was deleted.').waitFor();
  await heading(page, 'Properties').waitFor();
  await close();
});

it('reaches every tab on a phone in the dark theme, and reverts an email setting that fails to save', async () => {
  const { page, close } = await journey.visit({ viewport: PHONE, expected: /503/ });
  await page.goto(`/properties/old-town/feedback`);
  await signIn(page);
  await page.getByRole('link', { name: 'Configuration' }).click();
  await page.getByRole('button', { name: 'Use dark theme' }).click();
  for (const tab of TABS) {
    const link = page.getByRole('navigation', { name: 'Configuration' }).getByRole('link', { name: tab, exact: true });
    await link.click();
    await link.and(page.locator('[aria-current=page]')).waitFor();
    expect(await page.locator('nav [data-tab][aria-current]').count()).toBe(1);
    await page.locator('main h2').first().waitFor();
    if (CHECKED_TABS.includes(tab)) await expectAccessible(page);
    await picture(page, `configuration-375-dark-${tab}`);
  }
  await page.goto('/properties/old-town/configuration?tab=notifications');
  const tick = page.getByRole('list', { name: 'Complaints' }).getByRole('checkbox', { name: sam.data.displayName });
  await page.route('**/api/data', (route) =>
    route.request().postData()?.includes('"save"') ? route.fulfill({ status: 503 }) : route.continue(),
  );
  await tick.click();
  await page.getByText('Not saved:').waitFor();
  expect(await tick.isChecked()).toBe(false);
  await page.unroute('**/api/data');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect
    .poll(() => journey.app.stored('select complaints from property where id = $1', [oldTown.id]))
    .toEqual([{ complaints: [...oldTown.data.notifications.complaints, sam.id] }]);
  expect(await tick.isChecked()).toBe(true);
  await button(page, 'Send me last week’s now').click();
  await page.getByText('The report is on its way to dana@harborcoffee.test.').waitFor();
  await page.getByText('No mail server is set up here.').waitFor();
  await journey.app.mailTo('dana@harborcoffee.test', 'Your weekly report');
  await expectAccessible(page);
  await picture(page, 'notifications-375-dark');

  const quiet = page.getByRole('form', { name: 'Quiet hours' });
  await quiet.getByLabel('From').fill('22:00');
  await quiet.getByLabel('To').fill('22:00');
  await quiet.getByRole('button', { name: 'Save quiet hours' }).click();
  await quiet.getByText('must end at a different time').waitFor();
  // The error icon must not cover the time.
  const overlap = await quiet.getByLabel('To').evaluate((field) => {
    const unclipped = field.cloneNode() as HTMLInputElement;
    unclipped.style.width = 'max-content';
    field.after(unclipped);
    const width = unclipped.offsetWidth - (field as HTMLInputElement).offsetWidth;
    unclipped.remove();
    return width;
  });
  expect(overlap).toBeLessThanOrEqual(0);
  await quiet.getByLabel('To').fill('07:30');
  await quiet.getByText('Every day from 22:00 to 07:30 the next day').waitFor();
  await quiet.getByRole('button', { name: 'Save quiet hours' }).click();
  const escalation = page.getByRole('form', { name: 'Escalation' });
  await escalation.getByLabel('After', { exact: true }).selectOption({ label: '15 minutes' });
  for (const person of [sam, dana])
    await escalation.getByRole('combobox', { name: /^(First|Next) person$/ }).selectOption({ label: person.data.displayName });
  await escalation.getByRole('button', { name: `Move ${dana.data.displayName} up` }).click();
  await escalation.getByText(`within 15 minutes, ${dana.data.displayName} gets an email.`).waitFor();
  await picture(page, 'configuration-alerts-375-dark');
  await expectAccessible(page);
  await escalation.getByRole('button', { name: 'Save escalation' }).click();
  await expect
    .poll(() => journey.app.stored('select alerts from property where id = $1', [oldTown.id]))
    .toEqual([{ alerts: { quiet: { from: '22:00', to: '07:30' }, escalation: { after: 15, to: [dana.id, sam.id] } } }]);
  await page.setViewportSize(DESKTOP);
  await picture(page, 'configuration-alerts-1440-dark');
  await close();
});

describe('what is typed while a form is being saved', () => {
  const configuration = '/properties/old-town/configuration';
  const SAVE = '"action":"save"';
  it.each([
    { path: configuration, field: 'Question', values: ['How was it?', 'How was it today?'], save: 'Save form' },
    {
      path: `${configuration}?tab=services`,
      field: 'Yelp review URL',
      values: ['https://www.yelp.com/biz/one', 'https://www.yelp.com/biz/two'],
      save: 'Save links',
    },
    { path: `${configuration}?tab=notifications`, field: 'To', values: ['05:00', '06:30'], save: 'Save quiet hours' },
    {
      path: `${configuration}?tab=privacy`,
      field: 'Email address for questions about data',
      values: ['one@example.org', 'two@example.org'],
      save: 'Save address',
    },
    {
      path: `${configuration}?tab=requests`,
      field: 'Postal address (optional)',
      values: ['1 First St', '2 Second St'],
      save: 'Save settings',
    },
    { path: `${configuration}?tab=notifications`, field: 'After', values: ['15', '30'], save: 'Save escalation' },
    { path: '/profile', field: 'Name', values: ['Dana Mo', 'Dana Moss'], save: 'Save name' },
    { path: '/account/brand', field: 'Accent color', values: ['#0a5563', '#7a1f4b'], save: 'Save brand' },
  ])('stays in $field, and is saved next', async ({ path, field: label, values: [first = '', second = ''], save }) => {
    const isSticky = save === 'Save form';
    const { page, close } = await journey.visit({ viewport: isSticky ? PHONE : DESKTOP });
    await page.goto(path);
    await signIn(page);
    const field = page.getByLabel(label, { exact: true }).first();
    const enter = (value: string) => (label === 'After' ? field.selectOption(value) : field.fill(value));
    const waitUntilSaved = () =>
      page.waitForResponse((response) => response.request().postData()?.includes(SAVE) === true && response.ok());
    if (label.startsWith('Yelp')) await page.getByRole('checkbox', { name: 'Yelp' }).check();
    if (label === 'To') await page.getByLabel('From', { exact: true }).fill('22:00');
    if (label === 'After') await page.getByRole('combobox', { name: /^(First|Next) person$/ }).selectOption({ index: 1 });
    await enter(first);
    const release = await holdCalls(page, SAVE);
    const saved = waitUntilSaved();
    await button(page, save).click();
    await enter(second);
    release();
    await saved;
    await page
      .getByRole('status')
      .filter({ hasText: /\bsaved\b|one@example/ })
      .first()
      .waitFor();
    expect(await field.inputValue()).toBe(second);
    // Above the message at the bottom of a phone's screen, which is shown for a few seconds.
    await settled(page);
    if (isSticky) expect(await isOnTop(button(page, save))).toBe(true);
    await Promise.all([waitUntilSaved(), button(page, save).click()]);
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe(second);
    await close();
  });

  it('is shown as it was stored', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto(`${configuration}?tab=requests`);
    await signIn(page);
    const field = page.getByLabel('Postal address (optional)');
    for (const typed of ['1 First St', '1 First St ']) {
      await field.fill(typed);
      await button(page, 'Save settings').click();
      await page.getByRole('form', { name: 'When customers are asked' }).getByText('No changes to save.').waitFor();
      expect(await field.inputValue()).toBe('1 First St');
    }
    await close();
  });
});

it('adopts what a teammate saves, except in fields that are changed here', async () => {
  const { page, close } = await journey.visit({ viewport: DESKTOP });
  await page.goto('/properties/old-town/configuration?tab=requests');
  await signIn(page);
  const [day, time] = [page.getByLabel('Day', { exact: true }), page.getByLabel('Time', { exact: true })];
  await day.selectOption('3');
  const data = { requests: { delay: 2, hour: 17, gap: 90 } };
  await journey.app.call('property', 'save', { payload: { id: oldTown.id, data } }, await journey.app.signIn());
  await expect.poll(() => time.inputValue()).toBe('17');
  expect(await day.inputValue()).toBe('3');
  await button(page, 'Save settings').click();
  await expect
    .poll(() => journey.app.stored('select requests from property where id = $1', [oldTown.id]))
    .toMatchObject([{ requests: { delay: 3, hour: 17, gap: 90 } }]);
  await close();
});

it('shows a member which admin to ask', async () => {
  const { page, close } = await journey.visit({ viewport: DESKTOP });
  await page.goto('/properties/pier-4/configuration');
  await signIn(page, sam.data.emailAddress);
  await heading(page, 'Only admins can open this page.').waitFor();
  await page.getByText('Ask Dana Moss.').waitFor();
  await page.goto('/properties/pier-4/feedback');
  const configureButton = page.getByRole('button', { name: /^Configuration .only admins can configure a property/ });
  expect(await configureButton.getAttribute('aria-disabled')).toBe('true');
  await close();
});

it('shows and exports who was offered the review links, and warns of a broken rule', async () => {
  const { page, close } = await journey.visit({ viewport: DESKTOP, acceptDownloads: true });
  await page.goto('/properties/pier-4/configuration');
  await signIn(page);
  const broken = 'Google forbids asking only happy visitors for reviews. Choose “Everyone” to follow its rules.';
  await page.getByText(broken).waitFor();
  await page.getByText(broken).scrollIntoViewIfNeeded();
  await picture(page, 'invite-rules');
  await page.getByRole('radio', { name: /^Everyone/ }).check();
  await page.getByText('This follows the rules of Google').waitFor();
  await button(page, 'Save form').click();
  await page.getByText('Form saved').first().waitFor();

  await page.goto('/properties/pier-4/configuration?tab=services');
  const card = page.getByRole('region', { name: 'How we ask for reviews' });
  await card.getByRole('heading', { name: 'All time' }).waitFor();
  await card.getByRole('heading', { name: 'Everyone: Google, Yelp' }).waitFor();
  await card.getByRole('heading', { name: 'Good and Great ratings: Google, Yelp' }).waitFor();
  await expectGoodLooks(page, 'review-funnel');
  const [file] = await Promise.all([page.waitForEvent('download'), card.getByRole('button', { name: 'Download as CSV' }).click()]);
  expect(file.suggestedFilename()).toBe('pier-4-reviews.csv');
  expect((await readFile(await file.path(), 'utf8')).split('\r\n')).toHaveLength(12);
  await close();
});
