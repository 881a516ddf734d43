import { ACCOUNT_ID, dana } from '#fixtures/business.ts';
import { line, median, milliseconds, perSecond, times } from './measure.ts';
import type { BenchProduct } from './product.ts';
import { throughHttp } from './submissions.ts';

const ROUNDS = 3;

/** Urgent submissions while somebody is alerted of each, against the same while nobody is. */
export async function measureAlerts(product: BenchProduct): Promise<void> {
  const [quiet, loud]: Awaited<ReturnType<typeof throughHttp>>[][] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    await notify(product, []);
    quiet?.push(await throughHttp(product, () => 1));
    await notify(product, [dana.id]);
    loud?.push(await throughHttp(product, () => 1));
  }
  const [without, withAlerts] = [quiet ?? [], loud ?? []].map((runs) => ({
    rate: median(runs.map(({ rate }) => rate)),
    p99: median(runs.map(({ p99 }) => p99)),
  }));
  if (!without || !withAlerts) throw new Error('Nothing was measured');
  line('urgent submissions that alert nobody', perSecond(without.rate), 'baseline');
  line('  99th percentile', milliseconds(without.p99));
  line('urgent submissions that alert somebody', perSecond(withAlerts.rate), `${times(withAlerts.rate / without.rate)} the rate without`);
  line('  99th percentile', milliseconds(withAlerts.p99));
}

/** Whom the sample business alerts; what was left to relay of the round before is relayed first. */
async function notify(product: BenchProduct, people: readonly string[]): Promise<void> {
  const client = await product.connect();
  try {
    await client.query('update property set complaints = $1 where account_id = $2', [people, ACCOUNT_ID]);
    await client.query('update event set relayed = true where not relayed');
  } finally {
    await client.end();
  }
}
