import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Acknowledged, Ledger } from './ledger.ts';
import type { Victim } from './victim.ts';

interface Acknowledgements {
  readonly acknowledged: number;
  readonly retried: number;
  /** Longest time until a submission was acknowledged (ms). */
  readonly longest: number;
}

interface Findings extends Acknowledgements {
  readonly stored: number;
  readonly faults: readonly string[];
}

/** Acknowledgements in a few undisturbed seconds, and PostgreSQL's journal flushes in the same time. */
interface Syncs {
  readonly acknowledged: number;
  readonly flushes: number;
}

/** In ms. PostgreSQL updates its statistics about once a second, and a crash resets them. */
const WATCH_TIME = 4_000;
/** The most submissions that two batches can store in one flush. */
const MOST_PER_FLUSH = 400;

export async function watchSyncs(victim: Victim, { entries }: Ledger): Promise<Syncs> {
  const [before, flushes] = [entries.size, await flushesOf(victim)];
  await sleep(WATCH_TIME);
  return { acknowledged: entries.size - before, flushes: (await flushesOf(victim)) - flushes };
}

async function flushesOf(victim: Victim): Promise<number> {
  const client = await victim.connect();
  try {
    const { rows } = await client.query<{ flushes: number }>(`select sum(fsyncs)::integer as flushes from pg_stat_io where object = 'wal'`);
    return rows[0]?.flushes ?? 0;
  } finally {
    await client.end();
  }
}

interface Stored {
  readonly id: string;
  readonly rating: number;
  readonly key: string;
}

/** Compares the ledger of acknowledgements with the running database. */
export async function audit(victim: Victim, { entries }: Ledger): Promise<Findings> {
  const client = await victim.connect();
  try {
    const { rows } = await client.query<Stored>(`select id, rating, encode(key_hash, 'hex') as key from feedback`);
    const counts = await client.query<{ counted: number; stored: number }>(
      `select (select sum(one + two + three + four + five + suspected) from feedback_tally where place = '')::integer as counted, (select count(*) from feedback)::integer as stored`,
    );
    const eventCounts = await client.query<MiscountedEvents>(MISCOUNTED_EVENTS);
    return {
      ...acknowledgementsOf([...entries.values()]),
      stored: rows.length,
      faults: [...lost(entries, rows), ...duplicated(rows), ...miscounted(counts.rows[0]), ...miscountedEvents(eventCounts.rows)],
    };
  } finally {
    await client.end();
  }
}

export const acknowledgementsOf = (entries: readonly Acknowledged[]): Acknowledgements => ({
  acknowledged: entries.length,
  retried: entries.filter(({ attempts }) => attempts > 1).length,
  longest: entries.reduce((longest, { duration }) => Math.max(longest, duration), 0),
});

function lost(entries: ReadonlyMap<string, Acknowledged>, rows: readonly Stored[]): string[] {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const missing: Acknowledged[] = [];
  const changed: Acknowledged[] = [];
  for (const entry of entries.values()) {
    const row = byKey.get(createHash('sha256').update(entry.key).digest('hex'));
    if (!row) missing.push(entry);
    else if (row.id !== entry.id || row.rating !== entry.rating) changed.push(entry);
  }
  return [
    ...(missing.length > 0 ? [`${missing.length} acknowledged but not stored, such as ${missing[0]?.id}`] : []),
    ...(changed.length > 0 ? [`${changed.length} stored differently than acknowledged, such as ${changed[0]?.id}`] : []),
  ];
}

function duplicated(rows: readonly Stored[]): string[] {
  const duplicates = rows.length - new Set(rows.map(({ key }) => key)).size;
  return duplicates > 0 ? [`${duplicates} stored twice`] : [];
}

function miscounted(counts: { counted: number; stored: number } | undefined): string[] {
  if (!counts || counts.counted === counts.stored) return [];
  return [`${counts.stored} stored, ${counts.counted} counted`];
}

interface MiscountedEvents {
  readonly id: string;
  readonly submitted: number;
  readonly urgent: number;
}

/** Finds submissions without exactly one `submitted` event and, if urgent, one `urgent` event. Suspected ones have none. */
const MISCOUNTED_EVENTS = `
  select feedback.id, count(event.id) filter (where event.name = 'feedback.submitted')::integer as submitted,
         count(event.id) filter (where event.name = 'feedback.urgent')::integer as urgent
    from feedback left join event on event.account_id = feedback.account_id and event.subject = feedback.id
   group by feedback.account_id, feedback.id
  having count(event.id) filter (where event.name = 'feedback.submitted') <> (feedback.suspected is not true)::integer
      or count(event.id) filter (where event.name = 'feedback.urgent') <> (feedback.urgent and feedback.suspected is not true)::integer`;

function miscountedEvents(wrong: readonly MiscountedEvents[]): string[] {
  const [first] = wrong;
  if (!first) return [];
  return [`${wrong.length} without exactly one event, such as ${first.id}: ${first.submitted} submitted, ${first.urgent} urgent`];
}

/** Finds more acknowledgements than flushes could have stored: a killed process's writes survive in the system, but not a power cut. */
export function unsynced({ acknowledged, flushes }: Syncs): string[] {
  if (acknowledged <= flushes * MOST_PER_FLUSH) return [];
  return [`${acknowledged} acknowledged by ${flushes} flushes of the journal: not all can be on disk`];
}

/** Finds 5xx responses without Retry-After. */
export function badResponses(responses: ReadonlyMap<string, number>): string[] {
  return [...responses]
    .filter(([response]) => response.startsWith('5') && response !== '503 with Retry-After')
    .map(([response, count]) => `${count} × response ${response}`);
}

/** Finds messages logged more than once a minute and once at the end, and any bug. Lines are pino's or plain; `duration` is in ms. */
export function repeatedMessages(lines: readonly string[], duration: number): string[] {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const message = line.startsWith('{') ? (JSON.parse(line) as { msg: string }).msg : line;
    counts.set(message, (counts.get(message) ?? 0) + 1);
  }
  const most = 2 + Math.floor(duration / 60_000);
  return [...counts]
    .filter(([message, count]) => count > most || message === 'a bug')
    .map(([message, count]) => `"${message}" was logged ${count} times`);
}
