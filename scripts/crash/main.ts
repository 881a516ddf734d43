import { parseArgs } from 'node:util';
import { type Campaign, run } from './campaign.ts';
import { whyNoDisk } from './disk.ts';
import { failOvers, whyNoPair } from './fail-overs.ts';
import { fullJournal, whyNoJournalDisk } from './full-journal.ts';
import { killing } from './kills.ts';
import { powerCuts } from './power-cuts.ts';

const HELP = `npm run crash -- [options]

Visitors rate without pause while the product is hurt. Everything acknowledged must be stored exactly once, as recorded in a ledger outside the product. Then the same with what must lose something: it must be caught, or the test proves nothing.

  --only PARTS      some of these, comma-separated; all that this machine can do unless said otherwise
      kills         Node, and then PostgreSQL, is killed at random moments
      power         the power is cut for the product and its disk, a file system that forgets what was not synced (Linux, root)
      journal       PostgreSQL's journal fills its disk, and gets room again: the embedded server's, and one of its own (Linux, root)
      standby       the primary dies, its standby is promoted: DATABASE_URL names both (Linux)
  --kills N         kills of each kind (200)
  --cuts N          power cuts in each model (20)
  --rounds N        promotions (9)
  --controls N      kills of a broken product (20)
  --help            this text

The last line says what held. Ends with 1 where something did not, or where a part that was asked for cannot run here.
`;

interface CrashPart {
  /** Why this machine cannot run it; undefined where it can. */
  readonly missing?: () => Promise<string | undefined>;
  readonly campaigns: () => readonly Campaign[];
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    kills: { type: 'string', default: '200' },
    cuts: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '9' },
    controls: { type: 'string', default: '20' },
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
      failOvers({ name: 'control: replication that nobody waits for', rounds: Math.min(3, rounds), isSynchronous: false }),
    ],
  },
};

process.exitCode = values.help ? help() : await runParts(values.only?.split(',') ?? Object.keys(PARTS));

function help(): number {
  process.stdout.write(HELP);
  return 0;
}

/** The exit code. A part that cannot run is said at once and again at the end; asked for by name, it is a failure. */
async function runParts(names: readonly string[]): Promise<number> {
  const leftOut: string[] = [];
  let held = true;
  let hasRun = false;
  for (const name of names) {
    const part = PARTS[name];
    const missing = part ? await part.missing?.() : 'there is no such part (see --help)';
    if (!part || missing !== undefined) {
      leftOut.push(`"${name}" was not run: ${missing}.`);
      continue;
    }
    hasRun = true;
    for (const campaign of part.campaigns()) held = (await run(campaign)) && held;
  }
  for (const text of leftOut) process.stdout.write(`${text}\n`);
  if (hasRun) process.stdout.write(held ? 'Nothing lost, nothing duplicated, and every control was caught.\n' : 'FAILED: see above.\n');
  return held && (leftOut.length === 0 || values.only === undefined) ? 0 : 1;
}
