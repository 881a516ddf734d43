import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Campaign, run } from './campaign.ts';
import { whyNoDisk } from './disk.ts';
import { failOvers, whyNoPair } from './fail-overs.ts';
import { whyNoFleet } from './fleet.ts';
import { fullJournal, whyNoJournalDisk } from './full-journal.ts';
import { killing } from './kills.ts';
import { whyNoPatroni } from './patroni-cluster.ts';
import { patroniFailOvers } from './patroni-fail-overs.ts';
import { powerCuts } from './power-cuts.ts';
import { rollingRestarts } from './rolling-restarts.ts';

const HELP = `npm run crash -- [parts] [options]

Visitors rate constantly while the product is damaged. Everything acknowledged, as recorded in a ledger outside the product, must be stored exactly once. Controls, which must lose something, prove that the test catches losses.

  --only PARTS      some of these, comma-separated, or just their names; by default all that this machine can run
      kills         Node, and then PostgreSQL, is killed at random moments
      power         the power is cut for the product and its disk, a file system that forgets what was not synced (Linux, root)
      journal       PostgreSQL's journal fills its disk, which is freed again: embedded and separate server (Linux, root)
      standby       the primary dies, its standby is promoted: DATABASE_URL names both (Linux)
      rolling       each of six processes behind HAProxy and PgBouncer is restarted, one after another (Debian's packages)
      patroni       Patroni replaces the primary of three servers, killed or silent, as in deploy/patroni.yml (Debian's packages)
  --kills N         kills of each kind (200)
  --cuts N          power cuts in each model (20)
  --rounds N        promotions, and rounds of restarts (10)
  --controls N      kills of a broken product (20)
  --seed N          repeats the random moments of a run, which prints its seed
  --help            this text

The last line says whether everything passed. Exits with 1 if not, or if a named part can't run here.
`;

interface CrashPart {
  /** Returns why this machine can't run it, or undefined if it can. */
  readonly missing?: () => Promise<string | undefined>;
  readonly campaigns: () => readonly Campaign[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    kills: { type: 'string', default: '200' },
    cuts: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '10' },
    controls: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
    help: { type: 'boolean' },
  },
});
const [kills, cuts, rounds, controls] = [values.kills, values.cuts, values.rounds, values.controls].map(Number) as [
  number,
  number,
  number,
  number,
];

const PARTS: Readonly<Record<string, CrashPart>> = {
  kills: {
    campaigns: () => [
      killing({ name: 'Node killed', target: 'node', kills }),
      killing({ name: 'PostgreSQL killed', target: 'postgres', kills }),
      killing({ name: 'control: acknowledges before the commit', target: 'node', kills: controls, control: 'early-acknowledgement' }),
      killing({ name: 'control: fsync=off', target: 'node', kills: Math.min(3, controls), control: 'fsync-off' }),
    ],
  },
  power: {
    missing: whyNoDisk,
    campaigns: () =>
      (['strict', 'mild'] as const).flatMap((model) => [
        powerCuts({ name: 'power cut', model, cuts }),
        powerCuts({ name: 'control: fsync=off', model, cuts: Math.min(3, cuts), control: 'fsync-off' }),
        powerCuts({ name: 'control: acknowledges before the commit', model, cuts: Math.min(3, cuts), control: 'early-acknowledgement' }),
      ]),
  },
  journal: {
    missing: whyNoJournalDisk,
    campaigns: () => [fullJournal('embedded'), fullJournal('own')],
  },
  standby: {
    missing: whyNoPair,
    campaigns: () => [
      failOvers({ name: 'standby promoted', rounds, isSynchronous: true }),
      failOvers({ name: 'control: asynchronous replication', rounds: Math.min(3, rounds), isSynchronous: false }),
    ],
  },
  rolling: {
    missing: whyNoFleet,
    campaigns: () => [
      rollingRestarts({ name: 'restarted one by one', rounds, isOneByOne: true }),
      rollingRestarts({ name: 'control: restarted all at once', rounds: Math.min(3, rounds), isOneByOne: false }),
    ],
  },
  patroni: {
    missing: whyNoPatroni,
    campaigns: () => [
      patroniFailOvers({ name: 'primary replaced by Patroni', rounds, isSynchronous: true }),
      patroniFailOvers({ name: 'control: asynchronous replication by Patroni', rounds: Math.min(3, rounds), isSynchronous: false }),
    ],
  },
};

process.exitCode = values.help ? help() : await runParts([...positionals, ...(values.only?.split(',') ?? [])]);

function help(): number {
  process.stdout.write(HELP);
  return 0;
}

/** Runs the named parts, or all, and returns the exit code. A part that can't run is reported at the end, and fails if it was named. */
async function runParts(named: readonly string[]): Promise<number> {
  const skipped: string[] = [];
  let hasPassed = true;
  let hasRun = false;
  process.stdout.write(`seed ${values.seed}\n`);
  for (const name of named.length > 0 ? named : Object.keys(PARTS)) {
    const part = PARTS[name];
    const missing = part ? await part.missing?.() : 'there is no such part (see --help)';
    if (!part || missing !== undefined) {
      skipped.push(`"${name}" was not run: ${missing}.`);
      continue;
    }
    hasRun = true;
    for (const campaign of part.campaigns()) hasPassed = (await run(campaign, Number(values.seed))) && hasPassed;
  }
  for (const text of skipped) process.stdout.write(`${text}\n`);
  if (hasRun)
    process.stdout.write(hasPassed ? 'Nothing lost, nothing duplicated, and every control was caught.\n' : 'FAILED: see above.\n');
  return hasPassed && (skipped.length === 0 || named.length === 0) ? 0 : 1;
}
