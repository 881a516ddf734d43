import { formPath } from '#contract/form/form-page.ts';
import { FEED_PATH, SIGN_UP_PATH } from './start-paths.ts';

/* Every address of the dashboard. shell/routes.tsx maps each to its page. */

/** The pages of a team. */
export const ROUTES = {
  feed: FEED_PATH,
  urgent: '/urgent',
  overview: '/overview',
  properties: '/properties',
  propertyFeedback: '/properties/$propertyId/feedback',
  propertyOverview: '/properties/$propertyId/overview',
  propertyConfiguration: '/properties/$propertyId/configuration',
  users: '/account/user-management',
  administration: '/account/administration',
  brand: '/account/brand',
  deliveries: '/account/deliveries',
  webhooks: '/account/webhooks',
  apiKeys: '/account/api-keys',
  topics: '/account/topics',
  profile: '/profile',
} as const;

/** Returns the addresses of a team's pages, for the dashboard or for the demo, which has the same pages. */
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
    brand: `${base}${ROUTES.brand}`,
    deliveries: `${base}${ROUTES.deliveries}`,
    webhooks: `${base}${ROUTES.webhooks}`,
    apiKeys: `${base}${ROUTES.apiKeys}`,
    topics: `${base}${ROUTES.topics}`,
    profile: `${base}${ROUTES.profile}`,
    /** The plan's panel over the feed, for links that load the page; within the page, use `usePanel().open('plan', …)`. */
    planPanel: `${base || ROUTES.feed}?panel=plan`,
  } as const;
}

const ofProperty = (route: string, propertyId: string): string => route.replace('$propertyId', encodeURIComponent(propertyId));

export type Paths = ReturnType<typeof pathsBelow>;

export const paths = {
  ...pathsBelow(''),
  demo: '/demo',
  signUp: SIGN_UP_PATH,
  signOut: '/signout',
  /** Open regardless of the subscription. */
  pay: '/pay',
  /** A payment, as the provider links to it. Load this page instead of navigating to it: it has its own headers. */
  payFor: (transactionId: string) => `/pay?_ptxn=${encodeURIComponent(transactionId)}`,
  operatorAccounts: '/master/accounts',
  operatorUsers: '/master/users',
  operatorMessages: '/master/messages',
  operatorMails: '/master/mails',
  operatorSubscriptions: '/master/subscriptions',
  auditLog: '/master/log',
  docs: '/docs',
  guide: (name: string) => `/docs/${encodeURIComponent(name)}`,
  /** The server's page about the product; leaves the dashboard. */
  about: '/about',
  /** The visitors' form; leaves the dashboard. */
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
