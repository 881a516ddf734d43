import { accountExamples, accountOperations } from './account.ts';
import { feedbackExamples, feedbackOperations } from './feedback.ts';
import { formExamples, formOperations } from './form.ts';
import type { Examples, Service } from './operation.ts';
import { propertyExamples, propertyOperations } from './property.ts';
import { userExamples, userOperations } from './user.ts';
import { viewExamples, viewOperations } from './view.ts';

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

/** An example input of each operation, for tests and as documentation. */
export const examples: { readonly [S in ServiceName]: Examples<Services[S]> } = {
  account: accountExamples,
  user: userExamples,
  property: propertyExamples,
  form: formExamples,
  feedback: feedbackExamples,
  view: viewExamples,
};
