import { refusal } from '#contract/core/errors.ts';
import { toolId } from '#contract/core/ids.ts';
import type { Input } from '#contract/core/operation.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import type { Property } from '#contract/property/property.ts';
import { freeNames, MOST_TOOLS, placementTaken, TOO_MANY_TOOLS, type Tool, type toolOperations } from '#contract/tool/tool.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { refuseTaken } from '../platform/database/database.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import * as properties from '../property/store.ts';
import * as store from './store.ts';

type ToolInput = Input<typeof toolOperations.save>['payload'];

export function openTool({ random }: Pick<Platform, 'random'>) {
  return {
    async save({ scope }, { payload }) {
      const tool = payload.id === undefined ? await add(scope, payload.data) : await rename(scope, payload.id, payload.data.displayName);
      return tool ? { status: 'ok', tool } : NOT_FOUND;
    },
    async addSeries({ scope }, { propertyId, series }) {
      const property = await properties.lock(scope, propertyId);
      if (!property) return NOT_FOUND;
      const names = freeNames(series, await store.all(scope, propertyId));
      const tools: Tool[] = [];
      for (const displayName of names) tools.push(await insert(scope, property, { displayName, toolType: 'qr' }));
      return { status: 'ok', tools };
    },
    async list({ scope }, { propertyId }) {
      if (propertyId !== undefined && !(await properties.byId(scope, propertyId))) return NOT_FOUND;
      return { status: 'ok', tools: await store.all(scope, propertyId) };
    },
    async delete({ scope }, { toolId: id }) {
      const tool = await store.remove(scope, id);
      if (!tool) return NOT_FOUND;
      await record(scope, 'tool.deleted', { subject: id, data: { propertyId: tool.gs1sk } });
      return { status: 'ok' };
    },
  } satisfies Handlers<typeof toolOperations>;

  /** Adds a placement. Returns undefined for an unknown property. Refuses `conflict` at the limit, and a name that is taken. */
  async function add(
    scope: AccountScope,
    { propertyId, displayName, toolType }: Extract<ToolInput, { id?: undefined }>['data'],
  ): Promise<Tool | undefined> {
    const property = await properties.lock(scope, propertyId);
    if (!property) return undefined;
    if ((await store.countOf(scope, propertyId)) >= MOST_TOOLS) throw refusal('conflict', TOO_MANY_TOOLS);
    return insert(scope, property, { displayName, toolType });
  }

  /** Stores a placement of a locked property. */
  async function insert(
    scope: AccountScope,
    { id: propertyId, data: { formId } }: Property,
    named: Pick<Tool['data'], 'displayName' | 'toolType'>,
  ): Promise<Tool> {
    const { now: created, actor: author } = scope;
    const row = { ...named, id: toolId(random), propertyId, formId, created, author };
    const tool = await refuseTaken(() => store.insert(scope, row), placementTaken);
    await record(scope, 'tool.created', { subject: tool.id, data: { propertyId } });
    return tool;
  }
}

async function rename(scope: AccountScope, id: string, displayName: string): Promise<Tool | undefined> {
  const before = await store.byId(scope, id);
  const tool = before && (await refuseTaken(() => store.rename(scope, id, displayName), placementTaken));
  if (!before || !tool) return undefined;
  const [from, to] = [before.data.displayName, tool.data.displayName];
  if (from !== to) await record(scope, 'tool.renamed', { subject: id, data: { propertyId: tool.gs1sk, from, to } });
  return tool;
}
