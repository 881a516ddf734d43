import { parseArgs } from 'node:util';
import { measureAlerts } from './alerts.ts';
import { measureAttacks } from './attacks.ts';
import { compareWith } from './compare.ts';
import { measureFeed } from './feed.ts';
import { measureFirstLoad } from './first-load.ts';
import { measureFormPage } from './form-page.ts';
import { say } from './measure.ts';
import { startProduct } from './product.ts';
import { measureSizes } from './sizes.ts';
import { measureSubmissions } from './submissions.ts';

/**
 * `npm run bench`: compares each number with a baseline from the same run on the same machine, because machines are noisy. Read the
 * ratios. With `--compare <commit>`, compares submissions with those of another version instead.
 */
const { values, positionals } = parseArgs({ options: { compare: { type: 'string' } }, allowPositionals: true });
const selected = new Set(positionals);
const sections = {
  sizes: measureSizes,
  page: measureFormPage,
  load: measureFirstLoad,
  submissions: measureSubmissions,
  alerts: measureAlerts,
  feed: measureFeed,
  attacks: measureAttacks,
};

if (values.compare !== undefined) await compareWith(values.compare);
else await measureSections();

async function measureSections(): Promise<void> {
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
}
