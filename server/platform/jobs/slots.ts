import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss';

interface SlotsOptions {
  readonly boss: PgBoss;
  /** The job name. */
  readonly name: string;
  /** Jobs that run at the same time. */
  readonly most: number;
  /** How often a slot polls without being notified (seconds). */
  readonly idlePoll: number;
  readonly perform: (job: JobWithMetadata<never>) => Promise<JobResult>;
}

/** The workers of one job name. */
export interface Slots {
  /** Makes one free slot fetch a job. Call it at every poll. */
  poll(): void;
  /** Opens no more slots. */
  close(): void;
}

/** One of pg-boss's workers. */
interface Slot {
  id: string;
  /** The id of its running job. */
  jobId?: string | undefined;
}

/**
 * Opens slots that each fetch and run one job at a time, so that a slow job doesn't block others. Only one free slot polls; when it
 * gets a job, it wakes or opens the next slot, so that idle slots don't query the database.
 */
export function openSlots({ boss, name, most, idlePoll, perform }: SlotsOptions): Slots {
  const slots: Slot[] = [];
  let isOpen = true;
  return {
    poll,
    close() {
      isOpen = false;
    },
  };

  function poll(): void {
    const free = slots.find(({ jobId }) => jobId === undefined);
    if (free) boss.notifyWorker(free.id);
    else if (isOpen && slots.length < most) void open();
  }

  async function open(): Promise<void> {
    const slot: Slot = { id: '' };
    slots.push(slot);
    slot.id = await boss.work(
      name,
      { batchSize: 1, pollingIntervalSeconds: idlePoll, includeMetadata: true, perJobResults: true },
      // `batchSize` makes this a single job.
      (jobs) => Promise.all(jobs.map((job) => runIn(slot, job as JobWithMetadata<never>))),
    );
  }

  async function runIn(slot: Slot, job: JobWithMetadata<never>): Promise<JobResult> {
    slot.jobId = job.id;
    // A job that timed out no longer occupies its slot, even if it's still running.
    job.signal.addEventListener('abort', () => release(slot, job), { once: true });
    poll();
    return perform(job).finally(() => release(slot, job));
  }

  /** Frees the slot and makes it fetch its next job at once. */
  function release(slot: Slot, { id }: JobWithMetadata<never>): void {
    if (slot.jobId !== id) return;
    slot.jobId = undefined;
    boss.notifyWorker(slot.id);
  }
}
