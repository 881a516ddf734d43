import { and, asc, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { type Form, type FormStatus, MOST_VERSIONS, type ReviewInvitation, type SavedVersion, type Step } from '#contract/form/form.ts';
import type { ReviewService } from '#contract/form/review.ts';
import type { ReviewRule } from '#contract/insight/review-funnel.ts';
import type { LanguageTag, Translations } from '#contract/language/languages.ts';
import { record } from '../event/store.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { properties } from '../property/store.ts';
import { COLUMNS, CURRENT_VERSION, formOf, OF_PROPERTY } from './record-store.ts';
import { forms, formVersions } from './tables.ts';

export { earlierVersions, existingFormId, type FormReader, openFormReader, type PublicForm } from './public-store.ts';

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
