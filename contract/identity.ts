import * as v from 'valibot';

/** The pool's region (docs/rules.md#region). Pool ids begin with it in both modes. */
export const REGION = 'us-west-2';
export const PASSWORD_MINIMUM = 8;
export const PASSWORD_MAXIMUM = 128;

/** What `GET /api/config` tells a page before anyone signs in. */
export const publicConfig = v.object({
  identity: v.object({
    userPoolId: v.string(),
    userPoolClientId: v.string(),
    userPoolEndpoint: v.optional(v.string()),
    /** The host of Cognito's hosted login. */
    hostedDomain: v.optional(v.string()),
  }),
  billing: v.object({ kind: v.picklist(['none', 'sandbox', 'paddle']) }),
  analytics: v.object({ enabled: v.boolean() }),
  website: v.string(),
});
export type PublicConfig = v.InferOutput<typeof publicConfig>;

/** What the sign-in screen says (docs/rules.md#wording). The pool's own words are on the left where they differ. */
export const SIGN_IN_WORDS: Readonly<Record<string, string>> = {
  'Incorrect username or password.': 'Incorrect email or password.',
};
