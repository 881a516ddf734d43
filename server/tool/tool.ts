import { refusal } from '#contract/core/errors.ts';
import { toolId } from '#contract/core/ids.ts';
import type { Property } from '#contract/property/property.ts';
import { MOST_TOOLS, placementTaken, TOO_MANY_TOOLS, type Tool } from '#contract/tool/tool.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { refuseTaken } from '../platform/database/database.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as properties from '../property/store.ts';
import * as store from './store.ts';

type Named = Pick<Tool['data'], 'displayName' | 'toolType'>;

/** Adds a placement. Returns undefined for an unknown property. Refuses `conflict` at the limit, and a name that is taken. */
export async function addTool(
  { random }: Pick<Platform, 'random'>,
  scope: AccountScope,
  { propertyId, ...named }: Named & Pick<Tool['data'], 'propertyId'>,
): Promise<Tool | undefined> {
  const property = await properties.lock(scope, propertyId);
  if (!property) return undefined;
  if ((await store.countOf(scope, propertyId)) >= MOST_TOOLS) throw refusal('conflict', TOO_MANY_TOOLS);
  return insertTool({ random }, scope, property, named);
}

/** Stores a placement of a locked property. */
export async function insertTool(
  { random }: Pick<Platform, 'random'>,
  scope: AccountScope,
  { id: propertyId, data: { formId } }: Property,
  named: Named,
): Promise<Tool> {
  const { now: created, actor: author } = scope;
  const row = { ...named, id: toolId(random), propertyId, formId, created, author };
  const tool = await refuseTaken(() => store.insert(scope, row), placementTaken);
  await record(scope, 'tool.created', { subject: tool.id, data: { propertyId } });
  return tool;
}

/** Renames a placement. Returns undefined for an unknown one. Refuses a name that is taken. */
export async function renameTool(scope: AccountScope, id: string, displayName: string): Promise<Tool | undefined> {
  const before = await store.byId(scope, id);
  const tool = before && (await refuseTaken(() => store.rename(scope, id, displayName), placementTaken));
  if (!before || !tool) return undefined;
  const [from, to] = [before.data.displayName, tool.data.displayName];
  if (from !== to) await record(scope, 'tool.renamed', { subject: id, data: { propertyId: tool.gs1sk, from, to } });
  return tool;
}
