import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { RecordedEvent } from '#contract/events.ts';
import { type Form, type ReviewInvitation, STANDARD, type Step } from '#contract/form.ts';
import { isFormId } from '#contract/ids.ts';
import { accounts } from '../account/store.ts';
import type { EventFeed } from '../event/feed.ts';
import { record } from '../event/store.ts';
import type { AccountScope } from '../kernel/access.ts';
import type { Kernel } from '../kernel/context.ts';
import type { Database } from '../kernel/database.ts';
import { properties } from '../property/store.ts';
import { forms, formVersions } from './tables.ts';

/** A form as the visitors' path needs it: what to show, and whose it is. */
export interface PublicForm {
  readonly accountId: string;
  readonly closed: boolean;
  readonly form: Form;
}

/* ── The visitors' path: no account in scope, the intake role's narrow sight ── */

/** A form by its public id; undefined when there never was one. */
export async function publicForm({ visitors }: Database, id: string): Promise<PublicForm | undefined> {
  const [row] = await visitors
    .select({ ...SHOWN, closed: sql<boolean>`(${forms.closed} is not null or ${accounts.deleted} is not null)` })
    .from(forms)
    .innerJoin(accounts, eq(accounts.id, forms.accountId))
    .innerJoin(properties, OF_PROPERTY)
    .innerJoin(formVersions, SHOWN_VERSION)
    .where(eq(forms.id, id));
  return row && { accountId: row.accountId, closed: row.closed, form: formOf(row) };
}

/** Earlier versions of a form, newest first: a page may have been opened before the last save. */
export function earlierVersions({ visitors }: Database, { accountId, form }: PublicForm): Promise<{ version: number; steps: Step[] }[]> {
  return visitors
    .select({ version: formVersions.version, steps: formVersions.steps })
    .from(formVersions)
    .where(and(eq(formVersions.accountId, accountId), eq(formVersions.formId, form.id), lt(formVersions.version, form.data.version)))
    .orderBy(desc(formVersions.version))
    .limit(50);
}

/** What a form's record is made from. */
const SHOWN = {
  accountId: forms.accountId,
  propertyId: forms.propertyId,
  id: forms.id,
  version: forms.version,
  displayName: properties.displayName,
  steps: formVersions.steps,
  inviteToReview: formVersions.inviteToReview,
  saved: formVersions.saved,
};
const OF_PROPERTY = and(eq(properties.accountId, forms.accountId), eq(properties.id, forms.propertyId));
const SHOWN_VERSION = and(
  eq(formVersions.accountId, forms.accountId),
  eq(formVersions.formId, forms.id),
  eq(formVersions.version, forms.version),
);

/** Reads public forms through a cache that every process empties as soon as a form changes. */
export interface FormReader {
  byId(formId: string): Promise<PublicForm | undefined>;
  /** The same without waiting, where it was read a moment ago. */
  known(formId: string): PublicForm | undefined;
}

const KEPT = 10_000;
const FRESH = 30_000;
const MISSING = { missing: true } as const;

/** What changes what a visitor sees of a form. */
const CHANGES = ['form.saved', 'property.renamed', 'property.deleted', 'account.deleted'] as const;

export function openFormReader({ database, feed }: Pick<Kernel, 'database'> & { readonly feed: EventFeed }): FormReader & { stop(): void } {
  const cache = new LRUCache<string, PublicForm | typeof MISSING>({
    max: KEPT,
    ttl: FRESH,
    // While the database is away a form that was read before can still be shown.
    allowStaleOnFetchRejection: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: async (id) => (await publicForm(database, id)) ?? MISSING,
  });
  const stop = feed.named(CHANGES, { onEvent: (event) => forget(event), onGap: () => cache.clear() });
  return {
    async byId(formId) {
      if (!isFormId(formId)) return undefined;
      const fetched = await cache.fetch(formId);
      // Told meanwhile that it changed, the cache forgot what it was fetching; that does not make the form missing.
      return fetched === undefined ? publicForm(database, formId) : present(fetched);
    },
    known: (formId) => present(cache.get(formId)),
    stop,
  };

  function forget(event: RecordedEvent<(typeof CHANGES)[number]>): void {
    if (event.name === 'account.deleted') forgetAll(event.accountId);
    else cache.delete(event.name === 'form.saved' ? event.subject : event.data.formId);
  }

  function forgetAll(accountId: string): void {
    for (const [id, form] of cache.entries()) if ('accountId' in form && form.accountId === accountId) cache.delete(id);
  }
}

const present = (cached: PublicForm | typeof MISSING | undefined): PublicForm | undefined =>
  cached === undefined || 'missing' in cached ? undefined : cached;

/* ── The team's path ── */

/** A form of the account in scope. */
export async function byId({ accountId, db }: AccountScope, id: string): Promise<Form | undefined> {
  const [row] = await db
    .select(SHOWN)
    .from(forms)
    .innerJoin(properties, OF_PROPERTY)
    .innerJoin(formVersions, SHOWN_VERSION)
    .where(and(eq(forms.accountId, accountId), eq(forms.id, id)));
  return row && formOf(row);
}

export interface Version {
  readonly steps: Step[];
  readonly inviteToReview: ReviewInvitation;
  readonly saved: Date;
  readonly savedBy: string;
}

/** A new form with its first version. */
export async function insert(
  { accountId, db }: AccountScope,
  { id, propertyId, ...version }: { id: string; propertyId: string } & Version,
): Promise<void> {
  await db.insert(forms).values({ accountId, id, propertyId, version: 1 });
  await db.insert(formVersions).values({ accountId, formId: id, version: 1, ...version });
}

/** The newest version, held until the transaction ends, so that two saves make two versions. Undefined when closed or missing. */
export async function newestVersion({ accountId, db }: AccountScope, id: string): Promise<Version | undefined> {
  const [held] = await db
    .select({ id: forms.id })
    .from(forms)
    .where(and(eq(forms.accountId, accountId), eq(forms.id, id), sql`${forms.closed} is null`))
    .for('no key update');
  if (!held) return undefined;
  const [version] = await db
    .select()
    .from(formVersions)
    .where(and(eq(formVersions.accountId, accountId), eq(formVersions.formId, id)))
    .orderBy(desc(formVersions.version))
    .limit(1);
  return version;
}

/** Adds a version and shows it from now on. Hold the newest first. */
export async function addVersion(scope: AccountScope, id: string, version: Version): Promise<void> {
  const { accountId, db } = scope;
  const [form] = await db
    .update(forms)
    .set({ version: sql`${forms.version} + 1` })
    .where(and(eq(forms.accountId, accountId), eq(forms.id, id)))
    .returning({ version: forms.version, propertyId: forms.propertyId });
  if (!form) throw new Error('A version was added to a form that is not there');
  await db.insert(formVersions).values({ accountId, formId: id, version: form.version, ...version });
  await record(scope, 'form.saved', { subject: id, data: form });
}

export async function close({ accountId, db, now }: AccountScope, id: string): Promise<void> {
  await db
    .update(forms)
    .set({ closed: now })
    .where(and(eq(forms.accountId, accountId), eq(forms.id, id)));
}

type ShownRow = { [Field in keyof typeof SHOWN]: (typeof SHOWN)[Field]['_']['data'] };

function formOf({ id, propertyId, displayName, version, steps, inviteToReview, saved }: ShownRow): Form {
  return {
    id,
    sk: 'FORM',
    gs1sk: propertyId,
    data: {
      formId: id,
      propertyId,
      displayName,
      experience: STANDARD,
      version,
      updated: saved.getTime(),
      inviteToReview,
      steps,
    },
  };
}
