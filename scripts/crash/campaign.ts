import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { seededRandom } from '#fixtures/feedback.ts';
import { audit, badResponses } from './audit.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { type Load, startLoad } from './load.ts';
import { type Control, openVictim, type Place, type Victim } from './victim.ts';

/** A test in which visitors constantly rate while something happens to the product. */
export interface Campaign {
  readonly name: string;
  /** The product's deliberate bug, which must be caught. */
  readonly control?: Control | undefined;
  /** Whether the damage itself must lose something, which must be caught. */
  readonly loses?: boolean;
  /** Prepares the product's place, by default a new folder. */
  readonly prepare?: (folder: string) => Promise<Place>;
  /** Starts the product, by default as one process in its place. */
  readonly open?: (folder: string) => Promise<Victim>;
  /** Damages the product. Returns faults besides those that the audit finds. */
  readonly damage: (scene: Scene) => Promise<readonly string[]>;
}

/** What a campaign works with. */
export interface Scene {
  readonly victim: Victim;
  readonly ledger: Ledger;
  readonly load: Load;
  /** Returns a random integer below `sides`; the seed of the run repeats them. */
  readonly random: (sides: number) => number;
  readonly say: (text: string) => void;
}

const LAST_LINES = 5;

/** Runs a campaign. Returns true if it ended as it must: without a fault, or with one for a control. */
export async function run(campaign: Campaign, seed: number): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'afterword-crash-'));
  // As root, PostgreSQL runs as another user, who must reach the folder. Otherwise the database would be outside the campaign.
  await chmod(folder, 0o711);
  const say = (text: string): void => void process.stdout.write(`${campaign.name}: ${text}\n`);
  const place = (await campaign.prepare?.(folder)) ?? { dataDir: path.join(folder, 'data') };
  try {
    const faults = await runIn(campaign, { place, folder, say, random: seededRandom(seed) });
    for (const fault of faults) say(`  ${fault}`);
    if (!isControl(campaign)) return faults.length === 0;
    say(faults.length > 0 ? 'caught, as expected' : 'NOT CAUGHT');
    return faults.length > 0;
  } finally {
    await place.remove?.();
    await rm(folder, { recursive: true, force: true });
  }
}

const isControl = ({ control, loses }: Campaign): boolean => control !== undefined || loses === true;

interface CampaignRun extends Pick<Scene, 'random' | 'say'> {
  readonly place: Place;
  readonly folder: string;
}

async function runIn(campaign: Campaign, { place, folder, random, say }: CampaignRun): Promise<string[]> {
  const { control, open, damage } = campaign;
  const ledger = await openLedger(path.join(folder, 'ledger.ndjson'));
  const victim = await (open ? open(folder) : openVictim({ ...place, control }));
  const load = startLoad(victim, ledger);
  try {
    const faults = await damage({ victim, ledger, load, random, say });
    await load.stop();
    const { acknowledged, retried, longest, stored, faults: auditFaults } = await audit(victim, ledger);
    say(
      `${acknowledged} acknowledged (${retried} after a retry, the slowest in ${longest} ms), ${stored} stored, responses ${listOf(load.responses)}`,
    );
    const all = [...faults, ...auditFaults, ...badResponses(load.responses)];
    if (all.length > 0) say(`last log lines: ${victim.log.slice(-LAST_LINES).join('\n')}`);
    return all;
  } catch (error) {
    load.abandon();
    const { message } = error as Error;
    // A product that doesn't start again is a fault, not an error of this script. Of a control it proves nothing, unless data is damaged.
    if (!isControl(campaign) || control === 'fsync-off') return [message];
    say(`  ${message}`);
    return [];
  } finally {
    await victim.stop();
    await ledger.close();
  }
}

const listOf = (responses: ReadonlyMap<string, number>): string =>
  [...responses].map(([response, count]) => `${count} × ${response}`).join(', ');
