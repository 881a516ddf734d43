import { and, asc, desc, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type BrandLook, lookStyle } from '#contract/brand/look.ts';
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
import type { ReviewService } from '#contract/form/review.ts';
import type { ReviewRule } from '#contract/insight/review-funnel.ts';
import { STANDARD_TEXTS } from '#contract/language/all.ts';
import type { LanguageTag, Translations } from '#contract/language/languages.ts';
import { offeredLanguages } from '#contract/language/texts.ts';
import { accounts } from '../account/store.ts';
import { brands, LOOK, lookOf } from '../brand/store.ts';
import type { EventFeed } from '../event/feed.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import type { Database } from '../platform/database/database.ts';
import type { Cipher } from '../platform/secret.ts';
import { sha256 } from '../platform/sha256.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { receiptCipher } from '../property/property.ts';
import { properties } from '../property/store.ts';
import { forms, formVersions } from './tables.ts';

/** A form with its account, for the visitors' path. */
export interface PublicForm {
  readonly accountId: string;
  /** The account's name. */
  readonly business: string;
  readonly look: BrandLook;
  /** The look's style sheet, and a name that changes with the look. Computed once, because each visitor's page needs them. */
  readonly style: string | undefined;
  readonly lookKey: string;
  readonly closed: boolean;
  readonly form: Form;
  /** The languages that the form offers. */
  readonly languages: readonly LanguageTag[];
  /** The secret that signs the property's order numbers; undefined if there is none, or it can't be decrypted. */
  readonly receiptSecret: string | undefined;
  /** Months; undefined if words are stored until they are deleted. */
  readonly retention: number | undefined;
  readonly privacyContact: string | undefined;
  /** Whether visitors can ask for a private answer. */
  readonly privateReplies: boolean;
}

/* ── The visitors' path: no account in scope, only the intake role's rights ── */

/** Returns a form by its public id, or undefined for an unknown id. */
async function publicForm({ visitors }: Database, cipher: Cipher, id: string): Promise<PublicForm | undefined> {
  const [row] = await visitors
    .select({
      ...COLUMNS,
      business: accounts.displayName,
      brand: LOOK,
      receiptSecret: properties.receiptSecret,
      retention: properties.retention,
      privacyContact: properties.privacyContact,
      privateReplies: properties.privateReplies,
      closed: sql<boolean>`(${forms.closed} is not null or ${accounts.deleted} is not null)`,
    })
    .from(forms)
    .innerJoin(accounts, eq(accounts.id, forms.accountId))
    .leftJoin(brands, eq(brands.accountId, forms.accountId))
    .innerJoin(properties, OF_PROPERTY)
    .innerJoin(formVersions, CURRENT_VERSION)
    .where(eq(forms.id, id));
  if (!row) return undefined;
  const form = formOf({ ...row, steps: row.steps.map(withTrueApology) });
  const { accountId, business, closed, brand, privateReplies } = row;
  const languages = offeredLanguages(form.data, STANDARD_TEXTS);
  const receiptSecret = row.receiptSecret ? cipher.decrypt(row.receiptSecret, row.propertyId) : undefined;
  const settings = { retention: row.retention ?? undefined, privacyContact: row.privacyContact ?? undefined, privateReplies };
  return { accountId, business, ...publicLook(lookOf(brand)), closed, form, languages, receiptSecret, ...settings };
}

const publicLook = (look: BrandLook) => ({
  look,
  style: lookStyle(look),
  lookKey: sha256(JSON.stringify(look)).toString('base64'),
});

/**
 * The default subtitle of older forms, which was false without a note. Stored versions never change, so visitors read the current
 * default instead.
 */
const FORMER_APOLOGY = 'Your note went straight to the team.';

const withTrueApology = (step: Step): Step => (step.subtitle === FORMER_APOLOGY ? { ...step, subtitle: STANDARD_TEXTS.en.apology } : step);

/** Returns earlier versions of a form, newest first, because a page may have been opened before the last save. */
export function earlierVersions({ visitors }: Database, { accountId, form }: PublicForm): Promise<{ version: number; steps: Step[] }[]> {
  return visitors
    .select({ version: formVersions.version, steps: formVersions.steps })
    .from(formVersions)
    .where(and(eq(formVersions.accountId, accountId), eq(formVersions.formId, form.id), lt(formVersions.version, form.data.version)))
    .orderBy(desc(formVersions.version))
    .limit(50);
}

/** Returns SQL for a form's id, which is null if the form doesn't exist. The parameters are SQL. */
export const existingFormId = (accountId: string, propertyId: string, id: string): string =>
  `(select form.id from form where form.account_id = ${accountId} and form.property_id = ${propertyId} and form.id = ${id})`;

/** The columns of a form's record. */
const COLUMNS = {
  accountId: forms.accountId,
  propertyId: forms.propertyId,
  id: forms.id,
  version: forms.version,
  displayName: properties.displayName,
  steps: formVersions.steps,
  inviteToReview: formVersions.inviteToReview,
  language: formVersions.language,
  translations: formVersions.translations,
  saved: formVersions.saved,
};
const OF_PROPERTY = and(eq(properties.accountId, forms.accountId), eq(properties.id, forms.propertyId));
const CURRENT_VERSION = and(
  eq(formVersions.accountId, forms.accountId),
  eq(formVersions.formId, forms.id),
  eq(formVersions.version, forms.version),
);

/** Reads public forms through a cache that every process invalidates when a form changes. */
export interface FormReader {
  byId(formId: string): Promise<PublicForm | undefined>;
  /** Returns the form only if it is cached. */
  cached(formId: string): PublicForm | undefined;
}

const MOST_CACHED = 10_000;
/** In ms. */
const LIFETIME = 30_000;
const MISSING = { missing: true } as const;

/** Events that change what visitors see of a form. */
const CHANGES = [
  ...(['form.saved', 'form.closed', 'form.opened', 'form.deleted'] as const),
  ...(['property.renamed', 'property.receipt-secret-created', 'property.deleted'] as const),
  ...(['property.retention-changed', 'property.privacy-contact-changed', 'property.private-replies-changed'] as const),
  ...(['account.renamed', 'account.deleted', 'account.restored', 'brand.changed'] as const),
] as const;

export function openFormReader({
  database,
  secret,
  feed,
}: Pick<Platform, 'database' | 'secret'> & { readonly feed: EventFeed }): FormReader & { stop(): void } {
  const cipher = receiptCipher(secret);
  const cache = new LRUCache<string, PublicForm | typeof MISSING>({
    max: MOST_CACHED,
    ttl: LIFETIME,
    // While the database is unreachable, a form that was read before can still be shown.
    allowStaleOnFetchRejection: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: async (id) => (await publicForm(database, cipher, id)) ?? MISSING,
  });
  const stop = feed.byName(CHANGES, { onEvent: (event) => invalidate(event), onGap: () => cache.clear() });
  return {
    async byId(formId) {
      if (!isFormId(formId)) return undefined;
      const fetched = await cache.fetch(formId);
      // A change during the fetch makes the cache drop it, which doesn't mean that the form is missing.
      return fetched === undefined ? publicForm(database, cipher, formId) : present(fetched);
    },
    cached: (formId) => present(cache.get(formId)),
    stop,
  };

  function invalidate(event: RecordedEvent<(typeof CHANGES)[number]>): void {
    if (event.name.startsWith('form.')) cache.delete(event.subject);
    else if ('formId' in event.data) cache.delete(event.data.formId);
    // An account's event concerns all its forms.
    else invalidateAll(event.accountId);
  }

  function invalidateAll(accountId: string): void {
    for (const [id, form] of cache.entries()) if ('accountId' in form && form.accountId === accountId) cache.delete(id);
  }
}

const present = (entry: PublicForm | typeof MISSING | undefined): PublicForm | undefined =>
  entry === undefined || 'missing' in entry ? undefined : entry;

/* ── The team's path ── */

/** Returns a form of the account in scope. */
export async function byId({ accountId, db }: AccountScope, id: string): Promise<Form | undefined> {
  const [row] = await db
    .select(COLUMNS)
    .from(forms)
    .innerJoin(properties, OF_PROPERTY)
    .innerJoin(formVersions, CURRENT_VERSION)
    .where(and(eq(forms.accountId, accountId), eq(forms.id, id)));
  return row && formOf(row);
}

/** Returns the ids of the properties whose form is closed. */
export async function closedPropertyIds({ accountId, db }: AccountScope): Promise<string[]> {
  const rows = await db
    .select({ id: properties.id })
    .from(properties)
    .innerJoin(forms, and(eq(forms.accountId, properties.accountId), eq(forms.id, properties.formId)))
    .where(and(eq(properties.accountId, accountId), isNotNull(forms.closed)));
  return rows.map(({ id }) => id);
}

/** Returns the languages in which the account wrote its forms. */
export async function languagesOf({ accountId, db }: AccountScope): Promise<LanguageTag[]> {
  const rows = await db
    .select({ language: formVersions.language, translations: formVersions.translations })
    .from(forms)
    .innerJoin(properties, and(OF_PROPERTY, isNull(properties.deleted)))
    .innerJoin(formVersions, CURRENT_VERSION)
    .where(and(eq(forms.accountId, accountId), isNull(forms.deleted)));
  return [...new Set(rows.flatMap(({ language, translations }) => [language, ...(Object.keys(translations) as LanguageTag[])]))];
}

/** Returns a version of a form, by default the current one. Feedback refers to its version, so all can be read. */
export async function read(
  { accountId, db }: AccountScope,
  id: string,
  version?: number,
): Promise<{ form: Form; savedBy: string; standing: FormStatus } | undefined> {
  const { closed, deleted } = forms;
  const [row] = await db
    .select({ ...COLUMNS, version: formVersions.version, savedBy: formVersions.savedBy, closed, deleted })
    .from(forms)
    .innerJoin(properties, and(OF_PROPERTY, isNull(properties.deleted)))
    .innerJoin(formVersions, and(eq(formVersions.accountId, forms.accountId), eq(formVersions.formId, forms.id)))
    .where(and(eq(forms.accountId, accountId), eq(forms.id, id), eq(formVersions.version, version ?? forms.version)));
  return row && { form: formOf(row), savedBy: row.savedBy, standing: statusOf(row) };
}

const statusOf = ({ closed, deleted }: Pick<typeof forms.$inferSelect, 'closed' | 'deleted'>): FormStatus =>
  deleted ? 'deleted' : closed ? 'closed' : 'open';

/** Returns the latest versions, newest first, without their text. */
export async function versions({ accountId, db }: AccountScope, id: string): Promise<SavedVersion[]> {
  const rows = await db
    .select(VERSION_COLUMNS)
    .from(formVersions)
    .where(and(eq(formVersions.accountId, accountId), eq(formVersions.formId, id)))
    .orderBy(desc(formVersions.version))
    .limit(MOST_VERSIONS);
  return rows.map(savedVersion);
}

/** Returns the first version, and those that changed who is invited to review, newest first. */
export async function invitations({ accountId, db }: AccountScope, id: string): Promise<SavedVersion[]> {
  const before = sql<ReviewInvitation | null>`lag(${formVersions.inviteToReview}) over (order by ${formVersions.version})`.as('before');
  const versions = db
    .select({ ...VERSION_COLUMNS, before })
    .from(formVersions)
    .where(and(eq(formVersions.accountId, accountId), eq(formVersions.formId, id)))
    .as('saved_version');
  const rows = await db
    .select()
    .from(versions)
    .where(sql`${versions.before} is distinct from ${versions.inviteToReview}`)
    .orderBy(desc(versions.version))
    .limit(MOST_VERSIONS);
  return rows.map(savedVersion);
}

/** Returns who each version of a property's forms invites to review, oldest first. */
export async function reviewRules({ accountId, db }: AccountScope, propertyId: string): Promise<ReviewRule[]> {
  const { formId, version, saved, savedBy, inviteToReview: invite } = formVersions;
  const services = sql<ReviewService[]>`jsonb_path_query_array(${formVersions.steps}, '$[*].blocks[*].service[*].name')`;
  const rows = await db
    .select({ formId, version, saved, savedBy, invite, services })
    .from(formVersions)
    .innerJoin(forms, and(eq(forms.accountId, formVersions.accountId), eq(forms.id, formId)))
    .where(and(eq(formVersions.accountId, accountId), eq(forms.propertyId, propertyId)))
    .orderBy(asc(saved), asc(formId), asc(version));
  return rows.map((row) => ({ ...row, saved: row.saved.getTime() }));
}

/** A version of a form. */
type StoredVersion = Form & { readonly savedBy: string };

/** Returns a page of all versions of the account's forms, including deleted ones, by form and version. */
export async function page(
  { accountId, db }: AccountScope,
  after: { readonly formId: string; readonly version: number },
  most: number,
): Promise<StoredVersion[]> {
  const rows = await db
    .select({ ...COLUMNS, version: formVersions.version, savedBy: formVersions.savedBy })
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

const VERSION_COLUMNS = {
  version: formVersions.version,
  saved: formVersions.saved,
  savedBy: formVersions.savedBy,
  inviteToReview: formVersions.inviteToReview,
};

const savedVersion = ({
  version,
  saved,
  savedBy,
  inviteToReview,
}: Pick<typeof formVersions.$inferSelect, keyof typeof VERSION_COLUMNS>) => ({
  version,
  saved: saved.getTime(),
  savedBy,
  inviteToReview,
});

interface NewVersion {
  readonly steps: Step[];
  readonly inviteToReview: ReviewInvitation;
  readonly language: LanguageTag;
  readonly translations: Translations;
  readonly saved: Date;
  readonly savedBy: string;
}

interface Version extends NewVersion {
  readonly version: number;
}

/** Stores a new form with its first version. */
export async function insert(
  { accountId, db }: AccountScope,
  { id, propertyId, ...version }: { id: string; propertyId: string } & NewVersion,
): Promise<void> {
  await db.insert(forms).values({ accountId, id, propertyId, version: 1 });
  await db.insert(formVersions).values({ ...version, accountId, formId: id, version: 1 });
}

/** Locks a form until the transaction ends and returns its latest version, or undefined for a deleted or unknown form. */
export async function lockNewestVersion({ accountId, db }: AccountScope, id: string): Promise<Version | undefined> {
  const [form] = await db
    .select({ id: forms.id })
    .from(forms)
    .where(and(eq(forms.accountId, accountId), eq(forms.id, id), isNull(forms.deleted)))
    .for('no key update');
  if (!form) return undefined;
  const [version] = await db
    .select()
    .from(formVersions)
    .where(and(eq(formVersions.accountId, accountId), eq(formVersions.formId, id)))
    .orderBy(desc(formVersions.version))
    .limit(1);
  return version;
}

/** Adds a version, which visitors see from then on. Lock the form first (`lockNewestVersion`). */
export async function addVersion(scope: AccountScope, id: string, version: NewVersion): Promise<void> {
  const { accountId, db } = scope;
  const [form] = await db
    .update(forms)
    .set({ version: sql`${forms.version} + 1` })
    .where(and(eq(forms.accountId, accountId), eq(forms.id, id)))
    .returning({ version: forms.version, propertyId: forms.propertyId });
  if (!form) throw new Error('A version was added to an unknown form');
  await db.insert(formVersions).values({ accountId, formId: id, version: form.version, ...version });
  await record(scope, 'form.saved', { subject: id, data: form });
}

/** Closes a form. Returns whether it was open. */
export const close = (scope: AccountScope, id: string): Promise<boolean> => mark(scope, id, isNull(forms.closed), { closed: scope.now });

/** Reopens a closed form. Returns whether it was closed. */
export const reopen = (scope: AccountScope, id: string): Promise<boolean> => mark(scope, id, isNotNull(forms.closed), { closed: null });

/** Deletes a form. Returns whether it existed. */
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

type FormRow = { [Field in keyof typeof COLUMNS]: (typeof COLUMNS)[Field]['_']['data'] };

function formOf({ accountId, id, propertyId, displayName, version, saved, ...content }: FormRow): Form {
  const { steps, inviteToReview, language, translations } = content;
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
      language,
      translations,
      steps,
    },
  };
}
