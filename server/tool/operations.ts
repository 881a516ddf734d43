import { NOT_FOUND } from '#contract/core/schema.ts';
import { freeNames, type Tool, type toolOperations } from '#contract/tool/tool.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import * as properties from '../property/store.ts';
import * as store from './store.ts';
import { addTool, insertTool, renameTool } from './tool.ts';

export function openTool(platform: Pick<Platform, 'random'>) {
  return {
    async save({ scope }, { payload }) {
      const tool =
        payload.id === undefined
          ? await addTool(platform, scope, payload.data)
          : await renameTool(scope, payload.id, payload.data.displayName);
      return tool ? { status: 'ok', tool } : NOT_FOUND;
    },
    async addSeries({ scope }, { propertyId, series }) {
      const property = await properties.lock(scope, propertyId);
      if (!property) return NOT_FOUND;
      const names = freeNames(series, await store.all(scope, propertyId));
      const tools: Tool[] = [];
      for (const displayName of names) tools.push(await insertTool(platform, scope, property, { displayName, toolType: 'qr' }));
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
}
