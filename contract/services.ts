import { accountOperations } from './account.ts';
import { feedbackOperations } from './feedback.ts';
import { formOperations } from './form.ts';
import type { Service } from './operation.ts';
import { propertyOperations } from './property.ts';
import { userOperations } from './user.ts';
import { viewOperations } from './view.ts';

/** Every operation of the product: the dispatcher, the client and `GET /api/operations` read this list. */
export const services = {
  account: accountOperations,
  user: userOperations,
  property: propertyOperations,
  form: formOperations,
  feedback: feedbackOperations,
  view: viewOperations,
} satisfies Record<string, Service>;

export type Services = typeof services;
export type ServiceName = keyof Services;
export type ActionName<S extends ServiceName> = keyof Services[S] & string;
