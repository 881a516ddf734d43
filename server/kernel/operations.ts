import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { REFUSALS } from '#contract/errors.ts';
import { type Access, refusalsOf, type Service } from '#contract/operation.ts';

interface Described {
  readonly service: string;
  readonly action: string;
  readonly access: Access;
  readonly summary: string;
  readonly input: object;
  readonly answer: object;
  readonly refusals: readonly { readonly code: string; readonly status: number; readonly when: string }[];
}

/** What `GET /api/operations` answers: the declarations that the server runs on, with JSON Schemas. */
export function describeOperations(services: Record<string, Service>): Described[] {
  return Object.entries(services).flatMap(([service, operations]) =>
    Object.entries(operations).map(([action, operation]) => ({
      service,
      action,
      access: operation.access,
      summary: operation.summary,
      input: schemaOf(operation.input, 'input'),
      answer: schemaOf(operation.answer, 'output'),
      refusals: Object.entries(refusalsOf(operation)).map(([code, when]) => ({ code, status: statusOf(code), when })),
    })),
  );
}

// Declared by codes of the catalogue only.
const statusOf = (code: string): number => REFUSALS[code as keyof typeof REFUSALS][0];

/** Checks that JSON Schema has no words for (a contact needs a phone or an email) stay the server's. */
const schemaOf = (schema: GenericSchema, typeMode: 'input' | 'output'): object => toJsonSchema(schema, { typeMode, errorMode: 'ignore' });
