import type { Page } from 'playwright-core';
import type { Journey } from './journey.ts';

/** Opens the kiosk's page and pairs it with a kiosk of the sample business, by a new code. */
export async function pairTablet({ app }: Journey, page: Page, kioskId: string): Promise<void> {
  const { code } = (await app.call('kiosk', 'startPairing', { kioskId }, await app.signIn())).body;
  await page.goto('/kiosk');
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Pair this tablet' }).click();
  await page.getByRole('button', { name: 'Great' }).waitFor();
}
