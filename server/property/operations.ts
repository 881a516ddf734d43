import { refusal } from '#contract/core/errors.ts';
import { randomAlphanumeric } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { type propertyOperations, RECEIPT_SECRET } from '#contract/property/property.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { receiptCipher } from './property.ts';
import * as store from './store.ts';

/** Reads properties, and their secrets for receipts. Saving and deleting also change the form, and are in the property workflow. */
export function openProperty({ random, secret }: Pick<Platform, 'random' | 'secret'>) {
  const cipher = receiptCipher(secret);
  return {
    async list({ scope }) {
      return { status: 'ok', properties: await store.all(scope) };
    },
    async get({ scope }, { propertyId: name }) {
      const property = await store.byName(scope, name);
      return property ? { status: 'ok', property } : NOT_FOUND;
    },
    async receiptSecret({ scope }, { propertyId: subject }) {
      const created = randomAlphanumeric(RECEIPT_SECRET, random);
      const stored = await store.addReceiptSecret(scope, subject, cipher.encrypt(created, subject));
      if (!stored) return NOT_FOUND;
      const plain = cipher.decrypt(stored.sealed, subject);
      if (plain === undefined) throw refusal('conflict', 'This secret was encrypted with another secret of the installation. Replace it.');
      if (plain !== created) await record(scope, 'property.receipt-secret-revealed', { subject, data: {} });
      else await record(scope, 'property.receipt-secret-created', { subject, data: { formId: stored.formId } });
      return { status: 'ok', secret: plain };
    },
    async replaceReceiptSecret({ scope }, { propertyId: subject }) {
      const plain = randomAlphanumeric(RECEIPT_SECRET, random);
      const property = await store.change(scope, subject, { receiptSecret: cipher.encrypt(plain, subject) });
      if (!property) return NOT_FOUND;
      await record(scope, 'property.receipt-secret-created', { subject, data: { formId: property.data.formId } });
      return { status: 'ok', secret: plain };
    },
  } satisfies Omit<Handlers<typeof propertyOperations>, 'save' | 'delete'>;
}
