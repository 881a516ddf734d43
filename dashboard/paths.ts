/* Every address of the dashboard, spelled once: links are made from here, and shell/routes.tsx says what stands at each. */

/** The pages of a team. */
export const ROUTES = {
  feed: '/',
  urgent: '/urgent',
  properties: '/properties',
  propertyFeedback: '/properties/$propertyId/feedback',
  users: '/account/user-management',
  administration: '/account/administration',
  profile: '/profile',
} as const;

/** The demo is the same dashboard below an address of its own. */
export function pathsBelow(base: '' | '/demo') {
  return {
    feed: base || ROUTES.feed,
    urgent: `${base}${ROUTES.urgent}`,
    properties: `${base}${ROUTES.properties}`,
    propertyFeedback: (propertyId: string) => `${base}${ROUTES.propertyFeedback.replace('$propertyId', encodeURIComponent(propertyId))}`,
    users: `${base}${ROUTES.users}`,
    administration: `${base}${ROUTES.administration}`,
    profile: `${base}${ROUTES.profile}`,
  } as const;
}

export type Paths = ReturnType<typeof pathsBelow>;

export const paths = {
  ...pathsBelow(''),
  demo: '/demo',
  signUp: '/signup',
  signOut: '/signout',
  operatorAccounts: '/master/accounts',
  operatorUsers: '/master/users',
  auditLog: '/master/log',
  /** The visitors' page; leaves the dashboard. */
  form: (formId: string) => `/feedback/${formId}`,
} as const;
