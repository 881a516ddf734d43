import { and, desc, eq, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type Form, type Invitation, STANDARD, type Step } from '#contract/form.ts';
import { isFormId } from '#contract/ids.ts';
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

interface PublicRow {
  readonly accountId: string;
  readonly propertyId: string;
  readonly id: string;
  readonly version: number;
  readonly closed: boolean;
  readonly displayName: string;
  readonly steps: Step[];
  readonly inviteToReview: Invitation;
  readonly saved: Date;
}

/* ── The visitors' path: no account in scope, the intake role's narrow sight ── */

/** A form by its public id; undefined when there never was one. */
export async function publicForm(database: Database, id: string): Promise<PublicForm | undefined> {
  const [row] = await database.intake<PublicRow>({
    name: 'public form',
    text: `select f.account_id as "accountId", f.property_id as "propertyId", f.id, f.version, (f.closed is not null or a.deleted is not null) as closed,
                  p.display_name as "displayName", v.steps, v.invite_to_review as "inviteToReview", v.saved
             from form f
             join account a on a.id = f.account_id
             join property p on p.account_id = f.account_id and p.id = f.property_id
             join form_version v on v.account_id = f.account_id and v.form_id = f.id and v.version = f.version
            where f.id = $1`,
    values: [id],
  });
  return row && { accountId: row.accountId, closed: row.closed, form: record(row) };
}

/** Earlier versions of a form, newest first: a page may have been opened before the last save. */
export function earlierVersions(database: Database, { accountId, form }: PublicForm): Promise<{ version: number; steps: Step[] }[]> {
  return database.intake({
    text: `select version, steps from form_version
            where account_id = $1 and form_id = $2 and version < $3 order by version desc limit 50`,
    values: [accountId, form.id, form.data.version],
  });
}

/** Reads public forms through a cache that every process empties as soon as a form changes. */
export interface FormReader {
  byId(formId: string): Promise<PublicForm | undefined>;
  /** The same without waiting, where it was read a moment ago. */
  known(formId: string): PublicForm | undefined;
}

const CHANGED = 'form';
const KEPT = 10_000;
const FRESH = 30_000;
const MISSING = { missing: true } as const;

export function openFormReader({ database, live }: Pick<Kernel, 'database' | 'live'>): FormReader & { stop(): void } {
  const cache = new LRUCache<string, PublicForm | typeof MISSING>({
    max: KEPT,
    ttl: FRESH,
    // While the database is away a form that was read before can still be shown.
    allowStaleOnFetchRejection: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: async (id) => (await publicForm(database, id)) ?? MISSING,
  });
  const stop = live.listen(CHANGED, {
    hear: ({ formId }) => void cache.delete(String(formId)),
    missed: () => cache.clear(),
  });
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
}

const present = (cached: PublicForm | typeof MISSING | undefined): PublicForm | undefined =>
  cached === undefined || 'missing' in cached ? undefined : cached;

/** Makes every process read the form anew, from the moment this transaction is committed. */
async function tellChanged({ db }: AccountScope, formId: string): Promise<void> {
  await db.$client.query(`select pg_notify('afterword', $1)`, [JSON.stringify([{ c: CHANGED, m: { formId } }])]);
}

/* ── The team's path ── */

/** A form of the account in scope. */
export async function byId({ accountId, db }: AccountScope, id: string): Promise<Form | undefined> {
  const [row] = await db
    .select({
      accountId: forms.accountId,
      propertyId: forms.propertyId,
      id: forms.id,
      version: forms.version,
      closed: sql<boolean>`${forms.closed} is not null`,
      displayName: properties.displayName,
      steps: formVersions.steps,
      inviteToReview: formVersions.inviteToReview,
      saved: formVersions.saved,
    })
    .from(forms)
    .innerJoin(properties, and(eq(properties.accountId, forms.accountId), eq(properties.id, forms.propertyId)))
    .innerJoin(
      formVersions,
      and(eq(formVersions.accountId, forms.accountId), eq(formVersions.formId, forms.id), eq(formVersions.version, forms.version)),
    )
    .where(and(eq(forms.accountId, accountId), eq(forms.id, id)));
  return row && record(row);
}

export interface Version {
  readonly steps: Step[];
  readonly inviteToReview: Invitation;
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
export async function newestVersion({ accountId, db }: AccountScope, id: string): Promise<(Version & { propertyId: string }) | undefined> {
  const [held] = await db
    .select({ propertyId: forms.propertyId })
    .from(forms)
    .where(and(eq(forms.accountId, accountId), eq(forms.id, id), sql`${forms.closed} is null`))
    .for('update');
  if (!held) return undefined;
  const [version] = await db
    .select()
    .from(formVersions)
    .where(and(eq(formVersions.accountId, accountId), eq(formVersions.formId, id)))
    .orderBy(desc(formVersions.version))
    .limit(1);
  return version && { ...version, ...held };
}

/** Adds a version and shows it from now on. Hold the newest first. */
export async function addVersion(scope: AccountScope, id: string, version: Version): Promise<void> {
  const { accountId, db } = scope;
  const [form] = await db
    .update(forms)
    .set({ version: sql`${forms.version} + 1` })
    .where(and(eq(forms.accountId, accountId), eq(forms.id, id)))
    .returning({ version: forms.version });
  if (!form) throw new Error('A version was added to a form that is not there');
  await db.insert(formVersions).values({ accountId, formId: id, version: form.version, ...version });
  await tellChanged(scope, id);
}

export async function close(scope: AccountScope, id: string, closed: Date): Promise<void> {
  const { accountId, db } = scope;
  await db
    .update(forms)
    .set({ closed })
    .where(and(eq(forms.accountId, accountId), eq(forms.id, id)));
  await tellChanged(scope, id);
}

/** The property's name stands in the form that visitors see. */
export const renamed = (scope: AccountScope, id: string): Promise<void> => tellChanged(scope, id);

function record({ id, propertyId, displayName, version, steps, inviteToReview, saved }: PublicRow): Form {
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
