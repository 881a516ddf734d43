import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { audit, type Findings, watchSyncs } from './audit.ts';
import { killServers } from './kill.ts';
import { openLedger } from './ledger.ts';
import { startLoad } from './load.ts';
import { type Control, openVictim } from './victim.ts';

/**
 * `npm run crash`: visitors rate without pause while Node, and then PostgreSQL, is killed at random moments.
 * Whatever was acknowledged must be stored, once; a ledger outside the product knows what that is.
 * Then the same with two products that are broken on purpose, which must be caught.
 */
const { values } = parseArgs({ options: { kills: { type: 'string', default: '200' }, controls: { type: 'string', default: '20' } } });
const kills = Number(values.kills);
const controlKills = Number(values.controls);

const whole = [
  await campaign({ name: 'Node killed', target: 'node', kills }),
  await campaign({ name: 'PostgreSQL killed', target: 'postgres', kills }),
];
const broken = [
  await campaign({
    name: 'control: acknowledges before the commit',
    target: 'node',
    kills: controlKills,
    control: 'early-acknowledgement',
  }),
  await campaign({ name: 'control: fsync=off', target: 'node', kills: Math.min(3, controlKills), control: 'fsync-off' }),
];
const holds = whole.every(({ faults }) => faults.length === 0);
const caught = broken.every(({ faults }) => faults.length > 0);
say(holds ? 'Nothing lost, nothing doubled.' : 'SOMETHING WAS LOST OR DOUBLED.');
say(caught ? 'Both broken products were caught.' : 'A BROKEN PRODUCT WAS NOT CAUGHT.');
process.exitCode = holds && caught ? 0 : 1;

interface Campaign {
  readonly name: string;
  readonly target: 'node' | 'postgres';
  readonly kills: number;
  readonly control?: Control;
}

async function campaign({ name, target, kills: wanted, control }: Campaign): Promise<Findings> {
  const folder = await mkdtemp(path.join(tmpdir(), 'afterword-crash-'));
  const ledger = await openLedger(path.join(folder, 'ledger.ndjson'));
  const victim = await openVictim({ dataDir: path.join(folder, 'data'), control });
  const load = startLoad(victim, ledger);
  try {
    await killServers(victim, { target, kills: wanted, progress: (done) => say(`${name}: ${done} of ${wanted}`) });
    const syncs = await watchSyncs(victim.dataDir, ledger);
    await load.stop();
    const findings = await audit(victim.dataDir, { ledger, syncs });
    report(name, { kills: wanted, findings });
    return findings;
  } finally {
    await load.stop();
    await victim.stop();
    await ledger.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function report(name: string, { kills: done, findings }: { kills: number; findings: Findings }): void {
  const { acknowledged, stored, retried, syncs, faults } = findings;
  say(
    `${name}: ${done} kills, ${acknowledged} acknowledged (${retried} after a retry), ${stored} stored, ${syncs.acknowledged} acknowledged in the last seconds by ${syncs.flushes} flushes of the journal`,
  );
  for (const fault of faults) say(`  ${fault}`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
