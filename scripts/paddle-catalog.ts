import process from 'node:process';
import { catalogAt } from '../server/billing/payments.ts';
import { readPaddleKey } from '../server/kernel/config.ts';
import { inPlainWords } from './backups.ts';

/** `npm run paddle-catalog`: finds or makes the products and prices at Paddle, and prints the setting that names them. */
await inPlainWords('Nothing is known of the prices.', async () => {
  const key = readPaddleKey();
  const { prices, setting } = await catalogAt(key);
  for (const { plan, paymentFrequency, hasTrial, isNew, id } of prices)
    process.stderr.write(`${isNew ? 'made ' : 'found'}  ${plan}, ${paymentFrequency}${hasTrial ? ', with a trial' : ''}: ${id}
`);
  process.stdout.write(`PADDLE_PRICES=${setting}
`);
});
