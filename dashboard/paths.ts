import { formPath } from '#contract/form/form-page.ts';

/* Every address of the dashboard, spelled once: links are made from here, and shell/routes.tsx says what stands at each. */

/** The pages of a team. */
export const ROUTES = {
  feed: '/',
  urgent: '/urgent',
  overview: '/overview',
  properties: '/properties',
  propertyFeedback: '/properties/$propertyId/feedback',
  propertyOverview: '/properties/$propertyId/overview',
  propertyConfiguration: '/properties/$propertyId/configuration',
  users: '/account/user-management',
  administration: '/account/administration',
  deliveries: '/account/deliveries',
  webhooks: '/account/webhooks',
  profile: '/profile',
} as const;

/** The demo is the same dashboard below an address of its own. */
export function pathsBelow(base: '' | '/demo') {
  return {
    feed: base || ROUTES.feed,
    urgent: `${base}${ROUTES.urgent}`,
    overview: `${base}${ROUTES.overview}`,
    properties: `${base}${ROUTES.properties}`,
    propertyFeedback: (propertyId: string) => `${base}${ofProperty(ROUTES.propertyFeedback, propertyId)}`,
    propertyOverview: (propertyId: string) => `${base}${ofProperty(ROUTES.propertyOverview, propertyId)}`,
    propertyConfiguration: (propertyId: string) => `${base}${ofProperty(ROUTES.propertyConfiguration, propertyId)}`,
    users: `${base}${ROUTES.users}`,
    administration: `${base}${ROUTES.administration}`,
    deliveries: `${base}${ROUTES.deliveries}`,
    webhooks: `${base}${ROUTES.webhooks}`,
    profile: `${base}${ROUTES.profile}`,
    /** The panel of the plan over the feed, for links that load the page; inside it, `usePanel().open('plan', …)` opens it over any. */
    planPanel: `${base || ROUTES.feed}?panel=plan`,
  } as const;
}

const ofProperty = (route: string, propertyId: string): string => route.replace('$propertyId', encodeURIComponent(propertyId));

export type Paths = ReturnType<typeof pathsBelow>;

export const paths = {
  ...pathsBelow(''),
  demo: '/demo',
  signUp: '/signup',
  signOut: '/signout',
  /** Reachable whatever the subscription says. */
  pay: '/pay',
  /** A payment as the provider links to it. The page has headers of its own: it is loaded, never navigated to. */
  payFor: (transactionId: string) => `/pay?_ptxn=${encodeURIComponent(transactionId)}`,
  operatorAccounts: '/master/accounts',
  operatorUsers: '/master/users',
  operatorMessages: '/master/messages',
  operatorMails: '/master/mails',
  operatorSubscriptions: '/master/subscriptions',
  auditLog: '/master/log',
  docs: '/docs',
  guide: (name: string) => `/docs/${encodeURIComponent(name)}`,
  /** What the product is, by the server; leaves the dashboard. */
  about: '/about',
  /** The visitors' page; leaves the dashboard. */
  form: formPath,
} as const;

/** The operator's area. */
export const OPERATOR_PATHS: readonly string[] = [
  paths.operatorAccounts,
  paths.operatorUsers,
  paths.operatorMessages,
  paths.operatorMails,
  paths.operatorSubscriptions,
  paths.auditLog,
];
