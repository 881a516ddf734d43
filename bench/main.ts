import { measureAlerts } from './alerts.ts';
import { measureAttacks } from './attacks.ts';
import { measureFeed } from './feed.ts';
import { measureFirstLoad } from './first-load.ts';
import { measureFormPage } from './form-page.ts';
import { say } from './measure.ts';
import { startProduct } from './product.ts';
import { measureSizes } from './sizes.ts';
import { measureSubmissions } from './submissions.ts';

/**
 * `npm run bench`: each number stands beside a baseline that was measured in the same run on the same machine, because
 * machines are noisy. Ratios are what to read.
 */
const wanted = new Set(process.argv.slice(2));
const sections = {
  sizes: measureSizes,
  page: measureFormPage,
  load: measureFirstLoad,
  submissions: measureSubmissions,
  alerts: measureAlerts,
  feed: measureFeed,
  attacks: measureAttacks,
};

const product = await startProduct();
try {
  for (const [name, measure] of Object.entries(sections)) {
    if (wanted.size > 0 && !wanted.has(name)) continue;
    say(`\n${name}`);
    await measure(product);
  }
} finally {
  await product.stop();
}
