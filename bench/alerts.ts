import { ACCOUNT_ID, dana } from '#fixtures/business.ts';
import { line, median, milliseconds, perSecond, times } from './measure.ts';
import type { BenchProduct } from './product.ts';
import { type HttpRun, measureHttp } from './submissions.ts';

const ROUNDS = 3;

/** Compares urgent submissions with and without alerts. */
export async function measureAlerts(product: BenchProduct): Promise<void> {
  const runs = { without: [] as HttpRun[], with: [] as HttpRun[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    await setAlerted(product, []);
    runs.without.push(await measureHttp(product, { ratingOf: () => 1 }));
    await setAlerted(product, [dana.id]);
    runs.with.push(await measureHttp(product, { ratingOf: () => 1 }));
  }
  const [without, withAlerts] = [mediansOf(runs.without), mediansOf(runs.with)];
  line('urgent submissions without alerts', perSecond(without.rate), 'baseline');
  line('  99th percentile', milliseconds(without.p99));
  line('urgent submissions with alerts', perSecond(withAlerts.rate), `${times(withAlerts.rate / without.rate)} the rate without`);
  line('  99th percentile', milliseconds(withAlerts.p99));
}

const mediansOf = (runs: readonly HttpRun[]): { rate: number; p99: number } => ({
  rate: median(runs.map(({ rate }) => rate)),
  p99: median(runs.map(({ p99 }) => p99)),
});

/** Sets whom the sample business alerts, and skips events that the previous round hasn't relayed. */
async function setAlerted(product: BenchProduct, people: readonly string[]): Promise<void> {
  const client = await product.connect();
  try {
    await client.query('update property set complaints = $1 where account_id = $2', [people, ACCOUNT_ID]);
    await client.query('update event set relayed = true where not relayed');
  } finally {
    await client.end();
  }
}
