import type { Services } from '#contract/services.ts';
import { account } from './account/module.ts';
import { apiKey } from './api-key/module.ts';
import { billing } from './billing/module.ts';
import { brand } from './brand/module.ts';
import { comment } from './comment/module.ts';
import type { Context } from './context.ts';
import { conversation } from './conversation/module.ts';
import { event } from './event/module.ts';
import { exporting } from './export/module.ts';
import { feedback } from './feedback/module.ts';
import { feedbackRequest } from './feedback-request/module.ts';
import { form } from './form/module.ts';
import { identity } from './identity/module.ts';
import { insight } from './insight/module.ts';
import { kiosk } from './kiosk/module.ts';
import { message } from './message/module.ts';
import type { HandlersByService, Module } from './module.ts';
import { notification } from './notification/module.ts';
import type { AllHandlers } from './platform/tenancy/dispatch.ts';
import { privacy } from './privacy/module.ts';
import { property } from './property/module.ts';
import { report } from './report/module.ts';
import { savedReply } from './saved-reply/module.ts';
import { savedView } from './saved-view/module.ts';
import { tag } from './tag/module.ts';
import { tool } from './tool/module.ts';
import { topic } from './topic/module.ts';
import { user } from './user/module.ts';
import { view } from './view/module.ts';
import { webhook } from './webhook/module.ts';
import { workflows } from './workflows/module.ts';

/** All modules, each after those it imports. */
const MODULES = [
  ...[event, identity, billing, account, user, apiKey, brand, property, form, tag, tool, savedReply, savedView],
  ...[feedback, kiosk, comment, conversation, feedbackRequest, topic, privacy, message, view],
  ...[insight, report, webhook, exporting, notification, workflows],
] as const;

/** Opens the modules; the compiler checks that every operation has a handler. */
export function openModules(context: Context) {
  const modules = MODULES.map((open) => open(context)) satisfies readonly Module[];
  const handlers: AllHandlers<Services> = mergeHandlers<Intersection<HandlersOf<ReturnType<(typeof MODULES)[number]>>>>(modules);
  return { modules: modules as readonly Module[], handlers };
}

type HandlersOf<M> = M extends { readonly handlers: infer H } ? H : never;
type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void ? All : never;

/** Merges the handlers. Throws if two modules handle the same operation. */
function mergeHandlers<All>(modules: readonly Module[]): All {
  const all: Record<string, HandlersByService[string]> = {};
  for (const [service, handlers] of modules.flatMap((module) => Object.entries(module.handlers ?? {}))) {
    const duplicate = Object.keys(handlers).find((action) => Object.hasOwn(all[service] ?? {}, action));
    if (duplicate) throw new Error(`Two modules handle ${service}.${duplicate}`);
    all[service] = { ...all[service], ...handlers };
  }
  // The type is built from the same list.
  return all as All;
}
