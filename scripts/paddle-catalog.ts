import process from 'node:process';
import { catalogAt } from '../server/billing/payments.ts';
import { ConfigError, readPaddleKey } from '../server/platform/config/config.ts';
import { runCommand } from './backups.ts';

/** `npm run paddle-catalog`: finds or creates the products and prices at Paddle, and prints the setting that lists them. */
await runCommand('The prices are incomplete.', async () => {
  const key = readPaddleKey();
  const { prices, setting } = await catalogAt(key).catch(explain);
  for (const { plan, paymentFrequency, hasTrial, isNew, id } of prices)
    process.stderr.write(`${isNew ? 'created' : 'found  '}  ${plan}, ${paymentFrequency}${hasTrial ? ', with a trial' : ''}: ${id}
`);
  process.stdout.write(`PADDLE_PRICES=${setting}
`);
});

/** Replaces the library's connection errors, which don't say what is unreachable. */
function explain(error: unknown): never {
  throw error instanceof TypeError ? new ConfigError('Paddle doesn’t respond.', { cause: error }) : error;
}
