import type { Cluster } from './cluster.ts';
import { programFailed } from './errors.ts';
import { orphansIn, removeStaleLockFiles, runningPostmaster } from './lock-files.ts';

interface Obstacle {
  /** What PostgreSQL says. Its messages are English: `lc_messages` is C. */
  readonly said: RegExp;
  readonly name: string;
  overcome?(cluster: Cluster): Promise<void>;
}

/** What another try may get past. */
const OBSTACLES: readonly Obstacle[] = [
  { said: /pre-existing shared memory block/, name: 'parts of the last server are still running', overcome: quitOrphans },
  { said: /lock file ".*" (?:already exists|is empty)/, name: 'the last server left its lock file', overcome: discardStaleLocks },
  { said: /could not bind /, name: 'its address is in use' },
];

/** Does what can be done about a start that failed, and gives back what stood in its way. Throws when nothing can be. */
export async function overcome(cluster: Cluster, said: string): Promise<string> {
  const obstacle = OBSTACLES.find((candidate) => candidate.said.test(said));
  if (!obstacle) throw await programFailed('postgres', cluster, said);
  await obstacle.overcome?.(cluster);
  return obstacle.name;
}

/** They would end by themselves once they look up from their work, and what they do now is lost either way. */
async function quitOrphans({ pgdata, log }: Cluster): Promise<void> {
  for (const pid of await orphansIn(pgdata)) {
    log.warn({ pid }, 'a process of the last PostgreSQL server is told to end');
    try {
      process.kill(pid, 'SIGQUIT');
    } catch {
      // It has ended meanwhile.
    }
  }
}

async function discardStaleLocks({ pgdata }: Cluster): Promise<void> {
  if (!(await runningPostmaster(pgdata))) await removeStaleLockFiles(pgdata);
}
