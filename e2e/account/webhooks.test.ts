import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Judge } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noor } from '#fixtures/business.ts';
import { hasFocus, heading, isOnTop, signIn } from '../support/dashboard.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, PHONE, picture } from '../support/journey.ts';

/* Webhooks, received by a local server. */

let journey: Journey;
let receiver: http.Server;
const received: { body: string; headers: Record<string, string> }[] = [];
/** The receiver responds once this is resolved. */
let readyToRespond: Promise<unknown> = Promise.resolve();
beforeAll(async () => {
  journey = await openJourney({ OUTBOUND_ALLOW_PRIVATE: 'true' });
  receiver = http.createServer((request, answer) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ body, headers: request.headers as Record<string, string> });
      void readyToRespond.then(() => answer.end());
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
beforeEach(async () => {
  received.length = 0;
  await journey.app.stored('delete from webhook');
});
afterAll(async () => {
  receiver.close();
  await journey.stop();
});

describe('webhooks', () => {
  it('are added by an admin, tested, shown with their secret, deleted and restored', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/account/administration');
    await signIn(page);
    await page.getByRole('link', { name: 'Open webhooks' }).click();
    await heading(page, 'Webhooks').waitFor();
    await page.getByText('No webhooks yet.').waitFor();
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add webhook' });
    await dialog.getByText('Enter an address.').waitFor();
    await dialog.getByLabel('Address').fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`);
    await dialog.getByLabel('Name (optional)').fill('Help desk');
    await dialog.getByRole('radio', { name: 'Some properties' }).check();
    await dialog.getByText('Choose at least one property.').waitFor();
    await dialog.getByRole('checkbox', { name: 'Pier 4' }).check();
    await expectAccessible(page);
    await picture(page, 'webhooks-add-1440');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    const secret = (await dialog.locator('code').textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Help desk' }).click();
    const panel = page.getByRole('dialog', { name: 'Help desk' });
    let release = (): void => undefined;
    readyToRespond = new Promise<void>((resolve) => {
      release = resolve;
    });
    await panel.getByRole('button', { name: 'Send test' }).click();
    await panel.getByText('Being sent').waitFor();
    release();
    await panel.getByText('Delivered').waitFor();
    expect(new Judge(secret).verify(received[0]?.body ?? '', received[0]?.headers ?? {})).toMatchObject({ type: 'webhook.test' });
    await panel.locator('summary').click();
    await panel.getByText('Status 200').waitFor();
    await panel.getByRole('button', { name: 'Send again' }).click();
    await expect.poll(() => received.length).toBe(2);
    expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id']);
    // Deliveries are read until this one has arrived, and a deleted webhook has none.
    await panel.getByRole('list', { name: 'Attempts' }).getByText('Status 200').nth(1).waitFor();
    await panel.getByRole('button', { name: 'Show secret' }).click();
    await panel.locator('code').getByText(secret).waitFor();
    await expectAccessible(page);
    await picture(page, 'webhooks-panel-1440');
    await panel.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('No webhooks yet.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Help desk' }).waitFor();
    await close();
  });

  it('with an address the server rejects focus that field in view on a phone', async () => {
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /400/ });
    await page.goto('/account/webhooks');
    await signIn(page);
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add webhook' });
    const address = dialog.getByLabel('Address');
    await address.fill('https://[');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect.poll(() => hasFocus(address)).toBe(true);
    await expect.poll(() => isOnTop(dialog.getByText('Please enter an https address').first())).toBe(true);
    expect(await dialog.getByText('Enter an address.').count()).toBe(0);
    await close();
  });

  it('are closed to members, and the demo says that it sends nothing', async () => {
    const { page, close } = await journey.visit({ viewport: PHONE, colorScheme: 'dark' });
    await page.goto('/account/webhooks');
    await signIn(page, noor.data.emailAddress);
    await heading(page, 'Only admins can open this page.').waitFor();
    await page.goto('/demo/account/webhooks');
    await page.getByRole('button', { name: 'Channel of the pier' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'webhooks-375');
    await page.getByRole('button', { name: 'Channel of the pier' }).click();
    const panel = page.getByRole('dialog', { name: 'Channel of the pier' });
    await panel.getByText('The demo sends nothing').waitFor();
    expect(await panel.getByRole('button', { name: 'Send test' }).isDisabled()).toBe(true);
    await panel.locator('summary').first().click();
    await panel.getByText('The server took too long, after 15.0 s.').waitFor();
    await expectAccessible(page);
    await picture(page, 'webhooks-panel-375');
    await close();
  });
});
