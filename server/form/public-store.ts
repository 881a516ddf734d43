import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type BrandLook, lookStyle } from '#contract/brand/look.ts';
import { isFormId } from '#contract/core/ids.ts';
import type { RecordedEvent } from '#contract/events.ts';
import type { Form, Step } from '#contract/form/form.ts';
import { STANDARD_TEXTS } from '#contract/language/all.ts';
import type { LanguageTag } from '#contract/language/languages.ts';
import { offeredLanguages } from '#contract/language/texts.ts';
import { accounts } from '../account/store.ts';
import { brands, LOOK, lookOf } from '../brand/store.ts';
import type { EventFeed } from '../event/feed.ts';
import type { Platform } from '../platform/context.ts';
import type { Database } from '../platform/database/database.ts';
import type { Cipher } from '../platform/secret.ts';
import { sha256 } from '../platform/sha256.ts';
import { receiptCipher } from '../property/property.ts';
import { properties } from '../property/store.ts';
import { COLUMNS, CURRENT_VERSION, formOf, OF_PROPERTY } from './record-store.ts';
import { forms, formVersions } from './tables.ts';

/* Forms on the visitors' path: no account in scope, only the intake role's rights. */

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
