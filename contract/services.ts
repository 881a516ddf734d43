import { accountExamples, accountOperations } from './account/account.ts';
import { apiKeyExamples, apiKeyOperations } from './api-key/api-key.ts';
import { subscriptionExamples, subscriptionOperations } from './billing/subscription.ts';
import { brandExamples, brandOperations } from './brand/brand.ts';
import { commentExamples, commentOperations } from './comment/comment.ts';
import { conversationExamples, conversationOperations } from './conversation/conversation.ts';
import type { Examples, Service } from './core/operation.ts';
import { exportExamples, exportOperations } from './export/export.ts';
import { feedbackExamples, feedbackOperations } from './feedback/feedback.ts';
import { feedbackRequestExamples, feedbackRequestOperations } from './feedback-request/feedback-request.ts';
import { formExamples, formOperations } from './form/form.ts';
import { insightExamples, insightOperations } from './insight/insight.ts';
import { kioskExamples, kioskOperations } from './kiosk/kiosk.ts';
import { messageExamples, messageOperations } from './message/message.ts';
import { deliveryExamples, deliveryOperations } from './notification/delivery.ts';
import { deviceExamples, deviceOperations } from './notification/device.ts';
import { notificationExamples, notificationOperations } from './notification/notification.ts';
import { privacyExamples, privacyOperations } from './privacy/privacy.ts';
import { propertyExamples, propertyOperations } from './property/property.ts';
import { reportExamples, reportOperations } from './report/report.ts';
import { savedReplyExamples, savedReplyOperations } from './saved-reply/saved-reply.ts';
import { savedViewExamples, savedViewOperations } from './saved-view/saved-view.ts';
import { tagExamples, tagOperations } from './tag/tag.ts';
import { toolExamples, toolOperations } from './tool/tool.ts';
import { topicExamples, topicOperations } from './topic/topic.ts';
import { userExamples, userOperations } from './user/user.ts';
import { viewExamples, viewOperations } from './view/view.ts';
import { webhookExamples, webhookOperations } from './webhook/webhook.ts';

/** Every operation of the API. The dispatcher, the client and `GET /api/operations` read this list. */
export const services = {
  account: { ...accountOperations, ...subscriptionOperations },
  apiKey: apiKeyOperations,
  brand: brandOperations,
  user: userOperations,
  privacy: privacyOperations,
  property: propertyOperations,
  form: formOperations,
  tag: tagOperations,
  tool: toolOperations,
  kiosk: kioskOperations,
  savedReply: savedReplyOperations,
  savedView: savedViewOperations,
  feedback: feedbackOperations,
  comment: commentOperations,
  conversation: conversationOperations,
  feedbackRequest: feedbackRequestOperations,
  export: exportOperations,
  delivery: deliveryOperations,
  notification: notificationOperations,
  device: deviceOperations,
  webhook: webhookOperations,
  message: messageOperations,
  view: viewOperations,
  insight: insightOperations,
  topic: topicOperations,
  report: reportOperations,
} satisfies Record<string, Service>;

export type Services = typeof services;
export type ServiceName = keyof Services;
export type ActionName<S extends ServiceName> = keyof Services[S] & string;

/** An example input of each operation, for tests and documentation. */
export const examples: { readonly [S in ServiceName]: Examples<Services[S]> } = {
  account: { ...accountExamples, ...subscriptionExamples },
  apiKey: apiKeyExamples,
  brand: brandExamples,
  user: userExamples,
  privacy: privacyExamples,
  property: propertyExamples,
  form: formExamples,
  tag: tagExamples,
  tool: toolExamples,
  kiosk: kioskExamples,
  savedReply: savedReplyExamples,
  savedView: savedViewExamples,
  feedback: feedbackExamples,
  comment: commentExamples,
  conversation: conversationExamples,
  feedbackRequest: feedbackRequestExamples,
  export: exportExamples,
  delivery: deliveryExamples,
  notification: notificationExamples,
  device: deviceExamples,
  webhook: webhookExamples,
  message: messageExamples,
  view: viewExamples,
  insight: insightExamples,
  topic: topicExamples,
  report: reportExamples,
};
