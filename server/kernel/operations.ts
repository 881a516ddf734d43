import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import type { Access, Service } from '#contract/operation.ts';

interface Described {
  readonly service: string;
  readonly action: string;
  readonly access: Access;
  readonly summary: string;
  readonly input: object;
  readonly answer: object;
}

/** What `GET /api/operations` tells: the declarations that the server runs on, with JSON Schemas. */
export function describeOperations(services: Record<string, Service>): Described[] {
  return Object.entries(services).flatMap(([service, operations]) =>
    Object.entries(operations).map(([action, { access, summary, input, answer }]) => ({
      service,
      action,
      access,
      summary,
      input: schemaOf(input, 'input'),
      answer: schemaOf(answer, 'output'),
    })),
  );
}

/** Checks that JSON Schema has no words for (a contact needs a phone or an email) stay the server's. */
const schemaOf = (schema: GenericSchema, typeMode: 'input' | 'output'): object => toJsonSchema(schema, { typeMode, errorMode: 'ignore' });
