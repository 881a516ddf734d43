import { MENTION } from '#contract/comment/mention.ts';
import type { RecordedEvent } from '#contract/events.ts';
import { translatorInto } from '#contract/language/team-words.ts';
import type { Translate } from '#contract/language/translate.ts';
import { pageLink } from '#contract/mail/mail.ts';
import type { WebhookFacts } from '#contract/webhook/webhook-payload.ts';
import * as comments from '../comment/store.ts';
import * as events from '../event/store.ts';
import * as feedback from '../feedback/store.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as properties from '../property/store.ts';
import * as tools from '../tool/store.ts';
import * as users from '../user/store.ts';
import type { ReservedDelivery } from './delivery-store.ts';

interface FactsOptions {
  /** The configured address. */
  readonly site: string;
}

/** Returns the current content of a delivery, or undefined if the item or its property was deleted. */
export async function factsOf(
  scope: AccountScope,
  { type, eventId, created, webhook }: ReservedDelivery,
  { site }: FactsOptions,
): Promise<WebhookFacts | undefined> {
  const { accountId } = scope;
  if (eventId === null) return { type, at: created.getTime(), accountId, link: pageLink(site, '/account/webhooks') };
  const event = await events.byId(scope, eventId);
  const about = event && (await aboutOf(scope, event, translatorInto(webhook.language)));
  return about && { type, at: event.at, accountId, link: pageLink(site, `/?id=${about.feedback.id}`), about };
}

async function aboutOf(scope: AccountScope, event: RecordedEvent, t: Translate): Promise<WebhookFacts['about']> {
  const isComment = event.name === 'comment.created';
  const item = await feedback.byId(scope, isComment ? event.data.feedbackId : event.subject);
  const property = item && (await properties.byId(scope, item.data.projectId));
  if (!property) return undefined;
  const comment = isComment ? await commentOf(scope, event.subject, t) : undefined;
  if (isComment && !comment) return undefined;
  const placement = item.data.toolId === undefined ? undefined : (await tools.byId(scope, item.data.toolId))?.data.displayName;
  return { feedback: item, property: property.data.displayName, placement, ...(comment && { comment }) };
}

/** Returns a comment with names in place of mentioned ids. */
async function commentOf(scope: AccountScope, id: string, t: Translate): Promise<{ id: string; text: string; author: string } | undefined> {
  const comment = await comments.byId(scope, id);
  if (!comment) return undefined;
  const names = new Map((await users.all(scope)).map((user) => [user.id, user.data.displayName]));
  const nameOf = (userId: string): string => names.get(userId) ?? t('former teammate');
  const text = comment.data.text.replace(MENTION, (_whole, userId: string) => `@${nameOf(userId)}`);
  return { id, text, author: nameOf(comment.data.createdBy) };
}
