import type * as v from 'valibot';
import { accountEvents, operatorEvents } from './account/account.ts';
import { apiKeyEvents } from './api-key/api-key.ts';
import { subscriptionEvents } from './billing/billing.ts';
import { brandEvents } from './brand/brand.ts';
import { commentEvents } from './comment/comment.ts';
import { conversationEvents } from './conversation/conversation.ts';
import type { EventDeclaration } from './event/event.ts';
import { exportEvents } from './export/export.ts';
import { feedbackEvents } from './feedback/feedback.ts';
import { feedbackRequestEvents } from './feedback-request/feedback-request.ts';
import { formEvents } from './form/form.ts';
import { kioskEvents } from './kiosk/kiosk.ts';
import { messageEvents } from './message/message.ts';
import { deliveryEvents } from './notification/delivery.ts';
import { privacyEvents } from './privacy/privacy.ts';
import { propertyEvents } from './property/property.ts';
import { reportEvents } from './report/report.ts';
import { savedReplyEvents } from './saved-reply/saved-reply.ts';
import { savedViewEvents } from './saved-view/saved-view.ts';
import { tagEvents } from './tag/tag.ts';
import { toolEvents } from './tool/tool.ts';
import { topicEvents } from './topic/topic.ts';
import { userEvents } from './user/user.ts';
import { webhookEvents } from './webhook/webhook.ts';

/** Every event. The record, its subscribers and the live stream take their types from this list. */
export const events = {
  ...accountEvents,
  ...subscriptionEvents,
  ...brandEvents,
  ...userEvents,
  ...privacyEvents,
  ...propertyEvents,
  ...formEvents,
  ...tagEvents,
  ...toolEvents,
  ...kioskEvents,
  ...savedReplyEvents,
  ...apiKeyEvents,
  ...savedViewEvents,
  ...feedbackEvents,
  ...commentEvents,
  ...conversationEvents,
  ...feedbackRequestEvents,
  ...exportEvents,
  ...deliveryEvents,
  ...webhookEvents,
  ...messageEvents,
  ...reportEvents,
  ...topicEvents,
  ...operatorEvents,
} satisfies Record<string, EventDeclaration>;

export type EventName = keyof typeof events;
export type EventData<Name extends EventName> = v.InferOutput<(typeof events)[Name]['data']>;

interface EventOf<Name extends EventName> {
  /** Later events have greater ids, but ids do not follow the order of commits. */
  readonly id: number;
  readonly name: Name;
  readonly accountId: string;
  /** The id of the record that the event concerns. */
  readonly subject: string;
  /** A person's id, `visitor`, `afterword`, or `command-line`. */
  readonly actor: string;
  /** UTC ms. */
  readonly at: number;
  readonly data: EventData<Name>;
}

/** A recorded event with one of these names, or with any name. */
export type RecordedEvent<Name extends EventName = EventName> = { [N in Name]: EventOf<N> }[Name];

/** Returns whether a person on a team may see an event of their account. */
export const isSeenBy = (name: EventName, { level }: { readonly level: 'admin' | 'user' }): boolean => {
  const { seenBy } = events[name];
  return seenBy === 'member' || (seenBy === 'admin' && level === 'admin');
};
