import { parseArgs } from 'node:util';
import { measureAlerts } from './alerts.ts';
import { measureAttacks } from './attacks.ts';
import { compareWith } from './compare.ts';
import { measureFeed } from './feed.ts';
import { measureFirstLoad } from './first-load.ts';
import { measureFormPage } from './form-page.ts';
import { measureLarge } from './large.ts';
import { say } from './measure.ts';
import { type BenchProduct, startProduct } from './product.ts';
import { measureSizes } from './sizes.ts';
import { measureSubmissions } from './submissions.ts';

/**
 * `npm run bench`: compares each number with a baseline from the same run on the same machine, because machines are noisy. Read the
 * ratios. With `--compare <commit>`, compares submissions with those of another version instead; with `--large <answers>`, measures an
 * account with that many answers, or with `--accounts <number>` one of many that share them.
 */
const options = { compare: { type: 'string' }, large: { type: 'string' }, accounts: { type: 'string', default: '1' } } as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const selected = new Set(positionals);
const sections: Readonly<Record<string, (product: BenchProduct) => Promise<void>>> =
  values.large === undefined
    ? {
        sizes: measureSizes,
        page: measureFormPage,
        load: measureFirstLoad,
        submissions: measureSubmissions,
        alerts: measureAlerts,
        feed: measureFeed,
        attacks: measureAttacks,
      }
    : { large: (product) => measureLarge(product, { answers: Number(values.large), accounts: Number(values.accounts) }) };

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
