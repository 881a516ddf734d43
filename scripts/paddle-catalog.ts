import process from 'node:process';
import { findOrMakeCatalog, nameOf } from '../server/billing/payments.ts';
import { readPaddleKey } from '../server/kernel/config.ts';
import { inPlainWords } from './backups.ts';

/** `npm run paddle-catalog`: finds or makes the products and prices at Paddle, and prints the setting that names them. */
await inPlainWords('Nothing is known of the prices.', async () => {
  const key = readPaddleKey();
  const { prices } = await findOrMakeCatalog(key);
  for (const price of prices) process.stderr.write(`${price.isNew ? 'made ' : 'found'}  ${nameOf(price)}  ${price.id}\n`);
  process.stdout.write(`PADDLE_PRICES=${prices.map((price) => `${nameOf(price)}=${price.id}`).join(',')}\n`);
});
