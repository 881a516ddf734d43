import process from 'node:process';
import { catalogAt } from '../server/billing/payments.ts';
import { ConfigError, readPaddleKey } from '../server/platform/config/config.ts';
import { inPlainWords } from './backups.ts';

/** `npm run paddle-catalog`: finds or creates the products and prices at Paddle, and prints the setting that lists them. */
await inPlainWords('There are no prices to create.', async () => {
  const key = readPaddleKey();
  const { prices, setting } = await catalogAt(key).catch(inItsPlace);
  for (const { plan, paymentFrequency, hasTrial, isNew, id } of prices)
    process.stderr.write(`${isNew ? 'created' : 'found  '}  ${plan}, ${paymentFrequency}${hasTrial ? ', with a trial' : ''}: ${id}
`);
  process.stdout.write(`PADDLE_PRICES=${setting}
`);
});

/** Paddle's library doesn't include the address in its connection errors. */
function inItsPlace(error: unknown): never {
  throw error instanceof TypeError ? new ConfigError('Paddle doesn’t respond.', { cause: error }) : error;
}
