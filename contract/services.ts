import { accountExamples, accountOperations } from './account.ts';
import { commentExamples, commentOperations } from './comment.ts';
import { deliveryExamples, deliveryOperations } from './delivery.ts';
import { deviceExamples, deviceOperations } from './device.ts';
import { exportExamples, exportOperations } from './export.ts';
import { feedbackExamples, feedbackOperations } from './feedback.ts';
import { formExamples, formOperations } from './form.ts';
import { insightExamples, insightOperations } from './insight.ts';
import { messageExamples, messageOperations } from './message.ts';
import { notificationExamples, notificationOperations } from './notification.ts';
import type { Examples, Service } from './operation.ts';
import { propertyExamples, propertyOperations } from './property.ts';
import { reportExamples, reportOperations } from './report.ts';
import { savedViewExamples, savedViewOperations } from './saved-view.ts';
import { subscriptionExamples, subscriptionOperations } from './subscription.ts';
import { tagExamples, tagOperations } from './tag.ts';
import { toolExamples, toolOperations } from './tool.ts';
import { userExamples, userOperations } from './user.ts';
import { viewExamples, viewOperations } from './view.ts';
import { webhookExamples, webhookOperations } from './webhook.ts';

/** Every operation of the product: the dispatcher, the client and `GET /api/operations` read this list. */
export const services = {
  account: { ...accountOperations, ...subscriptionOperations },
  user: userOperations,
  property: propertyOperations,
  form: formOperations,
  tag: tagOperations,
  tool: toolOperations,
  savedView: savedViewOperations,
  feedback: feedbackOperations,
  comment: commentOperations,
  export: exportOperations,
  delivery: deliveryOperations,
  notification: notificationOperations,
  device: deviceOperations,
  webhook: webhookOperations,
  message: messageOperations,
  view: viewOperations,
  insight: insightOperations,
  report: reportOperations,
} satisfies Record<string, Service>;

export type Services = typeof services;
export type ServiceName = keyof Services;
export type ActionName<S extends ServiceName> = keyof Services[S] & string;

/** An example input of each operation, for tests and as documentation. */
export const examples: { readonly [S in ServiceName]: Examples<Services[S]> } = {
  account: { ...accountExamples, ...subscriptionExamples },
  user: userExamples,
  property: propertyExamples,
  form: formExamples,
  tag: tagExamples,
  tool: toolExamples,
  savedView: savedViewExamples,
  feedback: feedbackExamples,
  comment: commentExamples,
  export: exportExamples,
  delivery: deliveryExamples,
  notification: notificationExamples,
  device: deviceExamples,
  webhook: webhookExamples,
  message: messageExamples,
  view: viewExamples,
  insight: insightExamples,
  report: reportExamples,
};
