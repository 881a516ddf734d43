import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { REFUSALS } from '#contract/core/errors.ts';
import { type DescribedOperation, refusalsOf, type Service } from '#contract/core/operation.ts';
import { sampleCall } from '#contract/core/samples.ts';
import type { ServiceName } from '#contract/services.ts';

/** Returns the answer of `GET /api/operations`: the declared operations with JSON Schemas. */
export function describeOperations(services: Readonly<Record<ServiceName, Service>>): DescribedOperation[] {
  return Object.entries(services).flatMap(([service, operations]) =>
    Object.entries(operations).map(([action, operation]) => ({
      service,
      action,
      access: operation.access,
      keyScope: operation.keyScope,
      summary: operation.summary,
      sample: sampleCall(service as ServiceName, action),
      input: schemaOf(operation.input, 'input'),
      answer: schemaOf(operation.answer, 'output'),
      refusals: Object.entries(refusalsOf(operation)).map(([code, when]) => ({ code, status: statusOf(code), when })),
    })),
  );
}

// Operations declare only codes of `REFUSALS`.
const statusOf = (code: string): number => REFUSALS[code as keyof typeof REFUSALS][0];

/** Omits checks that JSON Schema can't express, such as that a contact needs a phone or an email. */
const schemaOf = (schema: GenericSchema, typeMode: 'input' | 'output'): object =>
  toJsonSchema(schema, { typeMode, errorMode: 'ignore', target: 'draft-2020-12' });
