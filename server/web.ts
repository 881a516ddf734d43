import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NOT_FOUND } from '#contract/core/schema.ts';
import type { PublicConfig } from '#contract/identity/identity.ts';
import { services } from '#contract/services.ts';
import { addAssets } from './assets.ts';
import type { Billing } from './billing/billing.ts';
import type { Context } from './context.ts';
import { addDashboard, addPushWorker, type Documents, openDocuments } from './dashboard.ts';
import { type FormDocument, openDocument } from './form/document.ts';
import { addFormPage } from './form/page.ts';
import type { Config } from './platform/config/config.ts';
import { sendCompressed } from './platform/http/http.ts';
import { networkBehind } from './platform/http/local-networks.ts';
import { openApiOf } from './platform/http/openapi.ts';
import { describeOperations } from './platform/http/operation-list.ts';
import { addOutboxPage, mailsFor } from './platform/mailer/page.ts';
import type { Dispatcher } from './platform/tenancy/dispatch.ts';
import { addSite } from './site.ts';

interface WebOptions {
  readonly context: Context;
  readonly dispatcher: Dispatcher;
  readonly documents: Documents;
}

/** The built pages. */
interface BuiltPages {
  readonly document: FormDocument;
  readonly documents: Documents;
}

export async function openBuiltPages(config: Config): Promise<BuiltPages> {
  const [document, documents] = await Promise.all([openDocument(config), openDocuments(config)]);
  return { document, documents };
}

/** Adds the data API, the public configuration and every page. Routes of a single module are in its `module.ts`. */
export async function addWeb(http: FastifyInstance, { context, dispatcher, documents }: WebOptions): Promise<void> {
  const { config } = context.platform;
  addData(http, { dispatcher, config });
  const publicConfig = publicConfigOf(context);
  addFacts(http, { publicConfig, publicUrl: config.publicUrl });
  await addSite(http, { config, forms: context.forms });
  addOutboxPage(http, config);
  await addAssets(http, config);
  addForm(http, { context, dispatcher });
  await addPushWorker(http, config);
  const origins = [...context.pool.origins, ...analyticsOrigins(config)];
  addDashboard(http, { documents, origins, publicConfig });
}

function addData(http: FastifyInstance, { dispatcher, config }: { dispatcher: Dispatcher; config: Config }): void {
  http.post('/api/data', (request, reply) => answer(request, reply, request.body));
  // The same, with an address for each operation (docs/decisions/0004-access.md).
  http.post('/api/:service/:action', (request: FastifyRequest<{ Params: { service: string; action: string } }>, reply) =>
    answer(request, reply, { ...(request.body as object), ...request.params }),
  );

  async function answer(request: FastifyRequest, reply: FastifyReply, body: unknown): Promise<FastifyReply> {
    const result = await dispatcher.dispatch({ body, authorization: request.headers.authorization, ...callOf(request, config) });
    void reply
      .code(isNotFound(result) ? 404 : 200)
      .header('cache-control', 'no-store')
      .type('application/json; charset=utf-8');
    return sendCompressed(request, reply, JSON.stringify(result));
  }
}

const callOf = (request: FastifyRequest, config: Config) => ({
  address: request.ip,
  network: networkBehind(request, config),
  trace: request.trace,
});

/** Returns whether an answer is `not found`, which is sent with status 404. */
const isNotFound = (answer: unknown): boolean => (answer as { status?: unknown }).status === NOT_FOUND.status;

/** Returns the origins that the dashboard sends analytics to. */
const analyticsOrigins = ({ analytics }: Config): string[] => (analytics ? [analytics.host] : []);

const billingFacts = ({ provider }: Billing): PublicConfig['billing'] =>
  provider ? { kind: provider.kind, checkout: provider.checkout } : { kind: 'none' };

/** Returns a function that returns the configuration that pages need before sign-in. */
function publicConfigOf({ platform: { config }, pool, billing }: Context): (request: FastifyRequest) => PublicConfig {
  const facts: Omit<PublicConfig, 'mails'> = {
    identity: pool.config,
    billing: billingFacts(billing),
    registration: config.registration,
    analytics: config.analytics ? { enabled: true, ...config.analytics } : { enabled: false },
    website: config.website,
    publicUrl: config.publicUrl,
  };
  return (request) => ({ ...facts, mails: mailsFor(request, config) });
}

/** Serves the public configuration, the list of operations, and the part of it for API keys as OpenAPI. */
function addFacts(
  http: FastifyInstance,
  { publicConfig, publicUrl }: { publicConfig: (request: FastifyRequest) => PublicConfig; publicUrl: string },
): void {
  const operations = describeOperations(services);
  const openApi = openApiOf(operations, { publicUrl });
  http.get('/api/config', async (request, reply) => reply.header('cache-control', 'no-cache').send(publicConfig(request)));
  http.get('/api/openapi.json', async (_request, reply) => reply.header('cache-control', 'no-cache').send(openApi));
  http.get('/api/operations', async (_request, reply) => reply.header('cache-control', 'no-cache').send(operations));
}

function addForm(http: FastifyInstance, { context, dispatcher }: Pick<WebOptions, 'context' | 'dispatcher'>): void {
  const { platform, document, forms, intake, views } = context;
  addFormPage(http, {
    platform,
    document,
    forms,
    find: intake.find,
    count: views.count,
    save: (request, sent) =>
      dispatcher.dispatch({
        body: { service: 'feedback', action: 'save', ...sent },
        authorization: undefined,
        ...callOf(request, platform.config),
      }),
  });
}
