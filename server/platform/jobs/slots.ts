import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss';

interface SlotsOptions {
  readonly boss: PgBoss;
  /** The kind of jobs. */
  readonly name: string;
  /** How many are worked on at a time. */
  readonly most: number;
  /** How often a slot looks that nobody told to (seconds). */
  readonly seldom: number;
  readonly perform: (job: JobWithMetadata<never>) => Promise<JobResult>;
}

/** What works on one kind of jobs. */
export interface Slots {
  /** Has one slot that is free look for a job. Called often. */
  look(): void;
  /** Opens no more slots. */
  close(): void;
}

/** One of pg-boss's workers. */
interface Slot {
  id: string;
  /** The id of the job that it works on. */
  jobId?: string | undefined;
}

/**
 * Slots of one job each, which fetch for themselves: one that takes long holds up no other. One free slot looks for all of them. Where
 * it finds a job, it has the next one look, or opens one, so that slots without work ask the database for nothing.
 */
export function openSlots({ boss, name, most, seldom, perform }: SlotsOptions): Slots {
  const slots: Slot[] = [];
  let isOpen = true;
  return {
    look,
    close() {
      isOpen = false;
    },
  };

  function look(): void {
    const free = slots.find(({ jobId }) => jobId === undefined);
    if (free) boss.notifyWorker(free.id);
    else if (isOpen && slots.length < most) void open();
  }

  async function open(): Promise<void> {
    const slot: Slot = { id: '' };
    slots.push(slot);
    slot.id = await boss.work(
      name,
      { batchSize: 1, pollingIntervalSeconds: seldom, includeMetadata: true, perJobResults: true },
      // A job that is fetched is the only one of its batch.
      (jobs) => Promise.all(jobs.map((job) => worked(slot, job as JobWithMetadata<never>))),
    );
  }

  async function worked(slot: Slot, job: JobWithMetadata<never>): Promise<JobResult> {
    slot.jobId = job.id;
    // A try that has taken too long is left, whatever it still does.
    job.signal.addEventListener('abort', () => release(slot, job), { once: true });
    look();
    return perform(job).finally(() => release(slot, job));
  }

  /** The slot looks for its next job at once. */
  function release(slot: Slot, { id }: JobWithMetadata<never>): void {
    if (slot.jobId !== id) return;
    slot.jobId = undefined;
    boss.notifyWorker(slot.id);
  }
}
