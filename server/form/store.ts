import { and, asc, desc, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { isFormId } from '#contract/core/ids.ts';
import type { RecordedEvent } from '#contract/events.ts';
import {
  type Form,
  type FormStatus,
  MOST_VERSIONS,
  type ReviewInvitation,
  type SavedVersion,
  STANDARD,
  type Step,
} from '#contract/form/form.ts';
import { accounts } from '../account/store.ts';
import type { EventFeed } from '../event/feed.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import type { Database } from '../platform/database/database.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { properties } from '../property/store.ts';
import { forms, formVersions } from './tables.ts';

/** A form as the visitors' path needs it: what to show, and whose it is. */
export interface PublicForm {
  readonly accountId: string;
  /** The account's name. */
  readonly business: string;
  readonly closed: boolean;
  readonly form: Form;
}

/* ── The visitors' path: no account in scope, the intake role's narrow sight ── */

/** A form by its public id; undefined when there never was one. */
async function publicForm({ visitors }: Database, id: string): Promise<PublicForm | undefined> {
  const [row] = await visitors
    .select({
      ...SHOWN,
      business: accounts.displayName,
      closed: sql<boolean>`(${forms.closed} is not null or ${accounts.deleted} is not null)`,
    })
    .from(forms)
    .innerJoin(accounts, eq(accounts.id, forms.accountId))
    .innerJoin(properties, OF_PROPERTY)
    .innerJoin(formVersions, SHOWN_VERSION)
    .where(eq(forms.id, id));
  return row && { accountId: row.accountId, business: row.business, closed: row.closed, form: formOf(row) };
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
const CHANGES = [
  ...(['form.saved', 'form.closed', 'form.opened', 'form.deleted'] as const),
  ...(['property.renamed', 'property.deleted'] as const),
  ...(['account.renamed', 'account.deleted', 'account.restored'] as const),
] as const;

export function openFormReader({
  database,
  feed,
}: Pick<Platform, 'database'> & { readonly feed: EventFeed }): FormReader & { stop(): void } {
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
    if (event.name.startsWith('form.')) cache.delete(event.subject);
    else if ('formId' in event.data) cache.delete(event.data.formId);
    // What happens to an account happens to all its forms.
    else forgetAll(event.accountId);
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

/** A version of a form, and who saved it. Feedback names the version that it answers, so all of them can be read. */
export async function read(
  { accountId, db }: AccountScope,
  id: string,
  version?: number,
): Promise<{ form: Form; savedBy: string; standing: FormStatus } | undefined> {
  const { closed, deleted } = forms;
  const [row] = await db
    .select({ ...SHOWN, version: formVersions.version, savedBy: formVersions.savedBy, closed, deleted })
    .from(forms)
    .innerJoin(properties, and(OF_PROPERTY, isNull(properties.deleted)))
    .innerJoin(formVersions, and(eq(formVersions.accountId, forms.accountId), eq(formVersions.formId, forms.id)))
    .where(and(eq(forms.accountId, accountId), eq(forms.id, id), eq(formVersions.version, version ?? forms.version)));
  return row && { form: formOf(row), savedBy: row.savedBy, standing: standingOf(row) };
}

const standingOf = ({ closed, deleted }: Pick<typeof forms.$inferSelect, 'closed' | 'deleted'>): FormStatus =>
  deleted ? 'deleted' : closed ? 'closed' : 'open';

/** The newest versions, newest first, without their words. */
export async function versions({ accountId, db }: AccountScope, id: string): Promise<SavedVersion[]> {
  const rows = await db
    .select(SAVED)
    .from(formVersions)
    .where(and(eq(formVersions.accountId, accountId), eq(formVersions.formId, id)))
    .orderBy(desc(formVersions.version))
    .limit(MOST_VERSIONS);
  return rows.map(savedVersion);
}

/** The versions that invited others to review than the one before them, newest first; the first version is one of them. */
export async function invitations({ accountId, db }: AccountScope, id: string): Promise<SavedVersion[]> {
  const before = sql<ReviewInvitation | null>`lag(${formVersions.inviteToReview}) over (order by ${formVersions.version})`.as('before');
  const all = db
    .select({ ...SAVED, before })
    .from(formVersions)
    .where(and(eq(formVersions.accountId, accountId), eq(formVersions.formId, id)))
    .as('saved_version');
  const rows = await db
    .select()
    .from(all)
    .where(sql`${all.before} is distinct from ${all.inviteToReview}`)
    .orderBy(desc(all.version))
    .limit(MOST_VERSIONS);
  return rows.map(savedVersion);
}

/** A version of a form, and who saved it. */
type KeptVersion = Form & { readonly savedBy: string };

/** Some of all versions of the account's forms, also of deleted ones, by form and version. */
export async function everything(
  { accountId, db }: AccountScope,
  after: { readonly formId: string; readonly version: number },
  most: number,
): Promise<KeptVersion[]> {
  const rows = await db
    .select({ ...SHOWN, version: formVersions.version, savedBy: formVersions.savedBy })
    .from(formVersions)
    .innerJoin(forms, and(eq(forms.accountId, formVersions.accountId), eq(forms.id, formVersions.formId)))
    .innerJoin(properties, OF_PROPERTY)
    .where(
      and(
        eq(formVersions.accountId, accountId),
        sql`(${formVersions.formId}, ${formVersions.version}) > (${after.formId}, ${after.version}::integer)`,
      ),
    )
    .orderBy(asc(formVersions.formId), asc(formVersions.version))
    .limit(most);
  return rows.map((row) => ({ ...formOf(row), savedBy: row.savedBy }));
}

const SAVED = {
  version: formVersions.version,
  saved: formVersions.saved,
  savedBy: formVersions.savedBy,
  inviteToReview: formVersions.inviteToReview,
};

const savedVersion = ({ version, saved, savedBy, inviteToReview }: Pick<typeof formVersions.$inferSelect, keyof typeof SAVED>) => ({
  version,
  saved: saved.getTime(),
  savedBy,
  inviteToReview,
});

export interface NewVersion {
  readonly steps: Step[];
  readonly inviteToReview: ReviewInvitation;
  readonly saved: Date;
  readonly savedBy: string;
}

export interface Version extends NewVersion {
  readonly version: number;
}

/** A new form with its first version. */
export async function insert(
  { accountId, db }: AccountScope,
  { id, propertyId, ...version }: { id: string; propertyId: string } & NewVersion,
): Promise<void> {
  await db.insert(forms).values({ accountId, id, propertyId, version: 1 });
  await db.insert(formVersions).values({ ...version, accountId, formId: id, version: 1 });
}

/** The newest version, held until the transaction ends, so that two saves make two versions. Undefined when deleted or missing. */
export async function newestVersion({ accountId, db }: AccountScope, id: string): Promise<Version | undefined> {
  const [held] = await db
    .select({ id: forms.id })
    .from(forms)
    .where(and(eq(forms.accountId, accountId), eq(forms.id, id), isNull(forms.deleted)))
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
export async function addVersion(scope: AccountScope, id: string, version: NewVersion): Promise<void> {
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

/** Closes a form; gives whether it was open. */
export const close = (scope: AccountScope, id: string): Promise<boolean> => mark(scope, id, isNull(forms.closed), { closed: scope.now });

/** Opens a closed form again; gives whether it was closed. */
export const reopen = (scope: AccountScope, id: string): Promise<boolean> => mark(scope, id, isNotNull(forms.closed), { closed: null });

/** Closes a form for good; gives whether it was there. */
export const remove = (scope: AccountScope, id: string): Promise<boolean> =>
  mark(scope, id, undefined, { closed: sql`coalesce(${forms.closed}, ${scope.now.toISOString()}::timestamptz)`, deleted: scope.now });

async function mark(
  { accountId, db }: AccountScope,
  id: string,
  condition: SQL | undefined,
  change: { closed: Date | SQL | null; deleted?: Date },
): Promise<boolean> {
  const { rowCount } = await db
    .update(forms)
    .set(change)
    .where(and(eq(forms.accountId, accountId), eq(forms.id, id), isNull(forms.deleted), condition));
  return rowCount === 1;
}

type ShownRow = { [Field in keyof typeof SHOWN]: (typeof SHOWN)[Field]['_']['data'] };

function formOf({ accountId, id, propertyId, displayName, version, steps, inviteToReview, saved }: ShownRow): Form {
  return {
    id,
    sk: 'FORM',
    gs1sk: propertyId,
    data: {
      accountId,
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
