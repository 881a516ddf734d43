import { randomUUID } from 'node:crypto';
import { badField } from '#contract/errors.ts';
import type { Form, Invitation } from '#contract/form.ts';
import { formId, propertyId } from '#contract/ids.ts';
import type { Property, propertyOperations } from '#contract/property.ts';
import type { Service } from '#contract/review.ts';
import { NOT_FOUND } from '#contract/schema.ts';
import { defaultSteps } from '#contract/steps.ts';
import { record } from '../event/store.ts';
import type { Facts } from '../events.ts';
import type { AccountScope, Person } from '../kernel/access.ts';
import type { Kernel } from '../kernel/context.ts';
import { sqlState } from '../kernel/database.ts';
import type { Handlers } from '../kernel/dispatch.ts';
import type { Emit } from '../kernel/facts.ts';
import * as store from './store.ts';

interface PropertyRoom {
  readonly kernel: Pick<Kernel, 'now' | 'random'>;
  readonly emit: Emit<Facts>;
  /** The form of a property, which the form's room keeps. */
  readonly formOf: (scope: AccountScope, formId: string) => Promise<Form | undefined>;
}

export function openProperty({ kernel, emit, formOf }: PropertyRoom) {
  return {
    async list({ scope }) {
      return { status: 'ok', properties: await store.all(scope) };
    },
    async get({ scope }, { propertyId: name }) {
      const property = await store.byName(scope, name);
      return property ? { status: 'ok', property } : NOT_FOUND;
    },
    async save({ scope, person }, { payload: { id, data } }) {
      const property = id === undefined ? await create(scope, person, data) : await change(scope, person, { id, ...data });
      const form = property && (await formOf(scope, property.data.formId));
      return property && form ? { status: 'ok', property, form } : NOT_FOUND;
    },
    async delete({ scope }, { propertyId: id }) {
      const property = await store.remove(scope, id, new Date(kernel.now()));
      if (!property) return NOT_FOUND;
      const { formId: closing } = property.data;
      await emit(scope, 'property.deleted', { propertyId: id, formId: closing });
      await record(scope, 'property.deleted', { subject: id, data: { formId: closing } });
      return { status: 'ok' };
    },
  } satisfies Handlers<typeof propertyOperations>;

  async function create(scope: AccountScope, { userId }: Person, { displayName, service = [] }: Changes) {
    return createProperty({ kernel, emit }, scope, { displayName: displayName ?? '', service, inviteToReview: 'good', by: userId });
  }

  async function change(scope: AccountScope, { userId }: Person, { id, ...changes }: Changes & { id: string }) {
    const before = await store.byId(scope, id);
    const property = before && (await named(() => store.change(scope, id, changes)));
    if (!before || !property) return undefined;
    const { displayName: from, formId: shown } = before.data;
    const { displayName: to } = property.data;
    if (from !== to) await record(scope, 'property.renamed', { subject: id, data: { from, to, formId: shown } });
    if (changes.service) {
      await emit(scope, 'property.services-changed', { formId: shown, service: changes.service, by: userId });
      await record(scope, 'property.services-changed', { subject: id, data: { services: changes.service.map(({ name }) => name) } });
    }
    return property;
  }
}

interface NewProperty {
  readonly displayName: string;
  readonly service: Service[];
  readonly inviteToReview: Invitation;
  readonly by: string;
}

/** Makes a property; its form is made by who reacts to that. */
export async function createProperty(
  { kernel, emit }: Pick<PropertyRoom, 'kernel' | 'emit'>,
  scope: AccountScope,
  { displayName, service, inviteToReview, by }: NewProperty,
): Promise<Property> {
  const property = await named(() =>
    store.insert(scope, {
      id: propertyId(kernel.random),
      formId: formId(kernel.random),
      created: new Date(kernel.now()),
      author: by,
      displayName,
      service,
      complaints: [by],
      weekly: [by],
    }),
  );
  const steps = defaultSteps(service, randomUUID);
  await emit(scope, 'property.created', { propertyId: property.id, formId: property.data.formId, steps, inviteToReview, by });
  await record(scope, 'property.created', { subject: property.id, data: { formId: property.data.formId } });
  return property;
}

interface Changes {
  readonly displayName?: string | undefined;
  readonly service?: Service[] | undefined;
}

/** Addresses name a property by its name, so two alive ones of an account cannot share it. */
async function named<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) throw badField('payload.data.displayName', 'You already have a property with this name');
    throw error;
  }
}

const UNIQUE_VIOLATION = '23505';
