import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { forms as sampleForms } from '#fixtures/business.ts';
import type { Attack, AttackScene } from './attacks/attack.ts';
import { addColleagues, addNeighbour, answeredForm } from './attacks/business.ts';
import { memoryOf, peakOf } from './attacks/memory.ts';
import { compareTimes, type Neighbour, openNeighbour, type Watched } from './attacks/neighbour.ts';
import { pictures } from './attacks/pictures.ts';
import { junk, reads, signIns, signUps } from './attacks/requests.ts';
import { files, heads, idle, streams, unread } from './attacks/sockets.ts';
import { flood, forms } from './attacks/visitors.ts';
import { grow } from './feed.ts';
import { line, say } from './measure.ts';
import type { BenchProduct } from './product.ts';

const ATTACKS: Readonly<Record<string, Attack>> = {
  pictures,
  forms,
  streams,
  unread,
  files,
  heads,
  idle,
  flood,
  reads,
  signIns,
  signUps,
  junk,
};

/** In ms: the length of an attack, the length of the quiet phase before it, and the wait before memory is read afterward. */
const ATTACKED = 6_000;
const QUIET = 4_000;
const AFTER = 10_000;
/** Feedback of the attacked business. */
const ITEMS = 100_000;
/** Enough for as many live streams as an account may have. */
const COLLEAGUES = 17;

/**
 * Measures a neighbour's response times during attacks against a quiet phase just before, and the product's memory.
 * `npm run bench attacks flood junk` runs only those. The reader judges the times; an acknowledged answer that isn't stored fails the
 * run.
 */
export async function measureAttacks(product: BenchProduct): Promise<void> {
  const owner = await product.connect();
  const scene = await prepare(product, owner);
  const neighbour = openNeighbour(scene.neighbour);
  // Attackers on their own machines wouldn't use this one's processor, so this thread gets a lower priority.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    await measureAll(scene, neighbour);
  } finally {
    await neighbour.stop();
    await owner.end();
  }
}

async function prepare(product: BenchProduct, owner: pg.Client): Promise<AttackScene> {
  await owner.query('truncate feedback, feedback_tally, feedback_day cascade');
  await grow(owner, { from: 0, to: ITEMS });
  const [form] = sampleForms;
  if (!form) throw new Error('The sample business has no form');
  const tokens = await addColleagues(product, owner, COLLEAGUES);
  return { product, owner, tokens, form: answeredForm(form), neighbour: await addNeighbour(product, owner) };
}

async function measureAll(scene: AttackScene, neighbour: Neighbour): Promise<void> {
  const selected = Object.keys(ATTACKS).filter((name) => process.argv.includes(name));
  const attacks = Object.entries(ATTACKS).filter(([name]) => selected.length === 0 || selected.includes(name));
  const { pid } = scene.product;
  const watch = (kinds: readonly Watched[]) => neighbour.during(kinds, sleep(QUIET));
  // Warms up, because first requests take longer.
  await watch(['visitor', 'feed', 'counts', 'sign-in', 'stream', 'health']);
  let quiet = await watch(attacks[0]?.[1].watched ?? []);
  let before = await memoryOf(pid);
  for (const [index, [, attack]] of attacks.entries()) {
    const running = attack.run(scene, performance.now() + ATTACKED);
    const [attacked, outcome, peak] = await Promise.all([neighbour.during(attack.watched, running), running, peakOf(pid, running)]);
    const end = performance.now();
    say(`  ${attack.title}`);
    for (const kind of attack.watched) compareTimes(kind, quiet.observed, attacked.observed);
    await sleep(AFTER - QUIET - (performance.now() - end));
    const next = await watch(attacks[index + 1]?.[1].watched ?? []);
    const after = await memoryOf(pid);
    line('    memory', megabytes(after), `10 s after the attack; before ${megabytes(before)}, peak ${megabytes(peak)}`);
    for (const note of outcome.notes) say(`      ${note}`);
    const lost = await countLost(scene.owner, [...quiet.stored, ...attacked.stored, ...(outcome.stored ?? [])]);
    for (const wrong of [...(outcome.wrong ?? []), ...(lost > 0 ? [`${lost} acknowledged ratings aren’t stored`] : [])]) {
      say(`      WRONG: ${wrong}`);
      process.exitCode = 1;
    }
    [quiet, before] = [next, after];
  }
}

const megabytes = (size: number): string => `${Math.round(size)} MB`;

/** Counts acknowledged ids that aren't stored. */
async function countLost(owner: pg.Client, ids: readonly string[]): Promise<number> {
  const { rows } = await owner.query<{ stored: number }>('select count(*)::integer as stored from feedback where id = any($1)', [ids]);
  return new Set(ids).size - (rows[0]?.stored ?? 0);
}
