/** Every address of the dashboard, spelled once. The demo is the same dashboard below `/demo`. */
export function pathsBelow(base: '' | '/demo') {
  return {
    base,
    feed: base || '/',
    urgent: `${base}/urgent`,
    properties: `${base}/properties`,
    propertyFeedback: (property: string) => `${base}/properties/${encodeURIComponent(property)}/feedback`,
    propertyConfiguration: (property: string) => `${base}/properties/${encodeURIComponent(property)}/configuration`,
    users: `${base}/account/user-management`,
    administration: `${base}/account/administration`,
    profile: `${base}/profile`,
  } as const;
}

export type Paths = ReturnType<typeof pathsBelow>;

export const paths = {
  ...pathsBelow(''),
  demo: '/demo',
  signUp: '/signup',
  signOut: '/signout',
  masterAccounts: '/master/accounts',
  masterUsers: '/master/users',
  masterLog: '/master/log',
  /** The visitors' page; leaves the dashboard. */
  form: (formId: string) => `/feedback/${formId}`,
} as const;
