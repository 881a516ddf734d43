import { NOT_FOUND } from '#contract/core/schema.ts';
import type { propertyOperations } from '#contract/property/property.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import * as store from './store.ts';

/** Reads properties. Saving and deleting also change the form, and are in the property workflow. */
export function openProperty() {
  return {
    async list({ scope }) {
      return { status: 'ok', properties: await store.all(scope) };
    },
    async get({ scope }, { propertyId: name }) {
      const property = await store.byName(scope, name);
      return property ? { status: 'ok', property } : NOT_FOUND;
    },
  } satisfies Pick<Handlers<typeof propertyOperations>, 'list' | 'get'>;
}
