import { ACCOUNT_ID, dana } from '#fixtures/business.ts';
import { line, median, milliseconds, perSecond, times } from './measure.ts';
import type { BenchProduct } from './product.ts';
import { throughHttp } from './submissions.ts';

const ROUNDS = 3;

/** Compares urgent submissions that alert someone with the same without alerts. */
export async function measureAlerts(product: BenchProduct): Promise<void> {
  const [quiet, loud]: Awaited<ReturnType<typeof throughHttp>>[][] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    await notify(product, []);
    quiet?.push(await throughHttp(product, { ratingOf: () => 1 }));
    await notify(product, [dana.id]);
    loud?.push(await throughHttp(product, { ratingOf: () => 1 }));
  }
  const [without, withAlerts] = [quiet ?? [], loud ?? []].map((runs) => ({
    rate: median(runs.map(({ rate }) => rate)),
    p99: median(runs.map(({ p99 }) => p99)),
  }));
  if (!without || !withAlerts) throw new Error('Nothing was measured');
  line('urgent submissions without alerts', perSecond(without.rate), 'baseline');
  line('  99th percentile', milliseconds(without.p99));
  line('urgent submissions with alerts', perSecond(withAlerts.rate), `${times(withAlerts.rate / without.rate)} the rate without`);
  line('  99th percentile', milliseconds(withAlerts.p99));
}

/** Sets whom the sample business alerts, and drops events that the previous round left to relay. */
async function notify(product: BenchProduct, people: readonly string[]): Promise<void> {
  const client = await product.connect();
  try {
    await client.query('update property set complaints = $1 where account_id = $2', [people, ACCOUNT_ID]);
    await client.query('update event set relayed = true where not relayed');
  } finally {
    await client.end();
  }
}
