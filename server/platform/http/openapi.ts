import type { DescribedOperation } from '#contract/core/operation.ts';

/** Every error of the API (RFC 9457). */
const PROBLEM = {
  type: 'object',
  required: ['type', 'title', 'status', 'code'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string' },
    detail: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};

/** Returns the answer of `GET /api/openapi.json`: the operations that API keys may call, as OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1). */
export function openApiOf(operations: readonly DescribedOperation[], { publicUrl }: { readonly publicUrl: string }): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Afterword', version: '1', description: 'The operations that API keys may call.' },
    servers: [{ url: publicUrl }],
    security: [{ apiKey: [] }],
    paths: Object.fromEntries(
      operations.flatMap((operation) =>
        operation.keyScope === undefined ? [] : [[operationPath(operation), { post: described(operation) }]],
      ),
    ),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: PROBLEM },
    },
  };
}

const operationPath = ({ service, action }: Pick<DescribedOperation, 'service' | 'action'>): string => `/api/${service}/${action}`;

function described({ service, action, summary, keyScope, sample, input, answer, refusals }: DescribedOperation): object {
  const { service: _service, action: _action, ...example } = sample as Record<string, unknown>;
  const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  const statuses = [...new Set(refusals.map(({ status }) => status))];
  return {
    operationId: `${service}.${action}`,
    tags: [service],
    summary,
    description: `Needs a key with the scope \`${keyScope}\`.`,
    requestBody: { required: true, content: { 'application/json': { schema: input, example } } },
    responses: {
      200: { description: 'The result.', content: { 'application/json': { schema: answer } } },
      404: { description: 'No such record, also if it belongs to another account.' },
      ...Object.fromEntries(
        statuses.map((status) => {
          const reasons = refusals.filter((refused) => refused.status === status).map(({ code, when }) => `\`${code}\`: ${when}`);
          return [status, { description: reasons.join('\n\n'), content: problem }];
        }),
      ),
    },
  };
}
