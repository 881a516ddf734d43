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
 * `npm run bench`: compares each number with a baseline from the same run on the same machine, because machines are noisy. Read the
 * ratios.
 */
const selected = new Set(process.argv.slice(2));
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
    if (selected.size > 0 && !selected.has(name)) continue;
    say(`\n${name}`);
    await measure(product);
  }
} finally {
  await product.stop();
}
