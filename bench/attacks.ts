import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { forms as sampleForms } from '#fixtures/business.ts';
import type { Attack, AttackScene } from './attacks/attack.ts';
import { addColleagues, addNeighbour, answered } from './attacks/business.ts';
import { memoryOf, peakOf } from './attacks/memory.ts';
import { type Neighbour, type Observation, openNeighbour, type Watched } from './attacks/neighbour.ts';
import { pictures } from './attacks/pictures.ts';
import { junk, reads, signIns } from './attacks/requests.ts';
import { files, heads, idle, streams, unread } from './attacks/sockets.ts';
import { flood, forms } from './attacks/visitors.ts';
import { grow } from './feed.ts';
import { line, median, milliseconds, quantile, say, times } from './measure.ts';
import type { BenchProduct } from './product.ts';

const ATTACKS: Readonly<Record<string, Attack>> = { pictures, forms, streams, unread, files, heads, idle, flood, reads, signIns, junk };

/** In ms: how long an attack lasts, how long the quiet beside it is watched, and how long after it memory is looked at. */
const ATTACKED = 6_000;
const QUIET = 4_000;
const AFTER = 10_000;
/** What the attacked business has. */
const ITEMS = 100_000;
/** Enough for as many live streams as an account may have. */
const COLLEAGUES = 17;

/**
 * What a neighbour sees while others do their worst, beside a quiet time just before, and what the product's memory does.
 * `npm run bench attacks flood junk` runs those alone. Slow is for the reader to judge; what was acknowledged and is not
 * there ends the run with an error.
 */
export async function measureAttacks(product: BenchProduct): Promise<void> {
  const owner = await product.connect();
  const scene = await prepare(product, owner);
  const neighbour = openNeighbour(scene.neighbour);
  // On machines of their own attackers would take no processor from the neighbour; here they give way. It counts for this thread.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    await measureAll(scene, neighbour);
  } finally {
    await neighbour.leave();
    await owner.end();
  }
}

async function prepare(product: BenchProduct, owner: pg.Client): Promise<AttackScene> {
  await owner.query('truncate feedback, feedback_tally cascade');
  await grow(owner, { from: 0, to: ITEMS });
  const [form] = sampleForms;
  if (!form) throw new Error('The sample business has no form');
  const tokens = await addColleagues(product, owner, COLLEAGUES);
  return { product, owner, tokens, form: answered(form), neighbour: await addNeighbour(product, owner) };
}

async function measureAll(scene: AttackScene, neighbour: Neighbour): Promise<void> {
  const named = Object.keys(ATTACKS).filter((name) => process.argv.includes(name));
  const attacks = Object.entries(ATTACKS).filter(([name]) => named.length === 0 || named.includes(name));
  const { pid } = scene.product;
  const watch = (kinds: readonly Watched[]) => neighbour.during(kinds, sleep(QUIET));
  // What is done for the first time takes longer.
  await watch(['visitor', 'feed', 'counts', 'sign-in', 'stream', 'health']);
  let quiet = await watch(attacks[0]?.[1].watched ?? []);
  let before = await memoryOf(pid);
  for (const [place, [, attack]] of attacks.entries()) {
    const running = attack.run(scene, performance.now() + ATTACKED);
    const [attacked, outcome, peak] = await Promise.all([neighbour.during(attack.watched, running), running, peakOf(pid, running)]);
    const over = performance.now();
    say(`  ${attack.title}`);
    for (const kind of attack.watched) compare(kind, quiet.observed, attacked.observed);
    await sleep(AFTER - QUIET - (performance.now() - over));
    const next = await watch(attacks[place + 1]?.[1].watched ?? []);
    const after = await memoryOf(pid);
    line('    memory', megabytes(after), `10 s after; before ${megabytes(before)}, at its peak ${megabytes(peak)}`);
    for (const note of outcome.notes) say(`      ${note}`);
    const lost = await countLost(scene.owner, [...quiet.stored, ...attacked.stored, ...(outcome.stored ?? [])]);
    for (const wrong of [...(outcome.wrong ?? []), ...(lost > 0 ? [`${lost} acknowledged ratings are not stored`] : [])]) {
      say(`      WRONG: ${wrong}`);
      process.exitCode = 1;
    }
    [quiet, before] = [next, after];
  }
}

const NAMES: Readonly<Record<Watched, string>> = {
  visitor: 'a visitor rates',
  feed: 'a person reads the feed',
  counts: 'a person reads the counts',
  'sign-in': 'a person signs in',
  stream: 'a live stream opens',
  health: 'health is answered',
};

function compare(kind: Watched, quiet: readonly Observation[], attacked: readonly Observation[]): void {
  const before = timesOf(kind, quiet);
  const beside = timesOf(kind, attacked);
  const refused = attacked.filter((each) => each.kind === kind && each.status !== 200);
  const statuses = [...new Set(refused.map(({ status }) => status || 'no answer'))].join(', ');
  const refusals =
    refused.length === 0 ? `none of ${beside.length} refused` : `${refused.length} of ${beside.length} refused (${statuses})`;
  const shown = `${times(beside.p99 / before.p99)} quiet ${milliseconds(before.p99)}; median ${milliseconds(beside.p50)}, quiet ${milliseconds(before.p50)}`;
  line(`    ${NAMES[kind]}, p99`, milliseconds(beside.p99), `${shown}; ${refusals}`);
}

function timesOf(kind: Watched, observed: readonly Observation[]): { p50: number; p99: number; length: number } {
  const taken = observed.filter((each) => each.kind === kind).map(({ ms }) => ms);
  return { p50: median(taken), p99: quantile(taken, 0.99), length: taken.length };
}

const megabytes = (size: number): string => `${Math.round(size)} MB`;

/** Of what somebody was told is stored, how much is not. */
async function countLost(owner: pg.Client, ids: readonly string[]): Promise<number> {
  const { rows } = await owner.query<{ found: number }>('select count(*)::integer as found from feedback where id = any($1)', [ids]);
  return new Set(ids).size - (rows[0]?.found ?? 0);
}
