import * as v from 'valibot';
import { invalidParameter, noSoftwareToken, wrongSetUpCode } from '../pool/errors.ts';
import * as totps from '../pool/second-factor-store.ts';
import { countRequest } from '../pool/throttle.ts';
import { requireFresh, signedInAction } from './action.ts';
import { softwareTokenCode } from './validation.ts';

const alreadyOn = () => invalidParameter('Software token MFA is on already. Turn it off to set it up anew.');

/** Gives the secret for an app, this once. One that is in use is neither shown nor replaced (R32). */
export const associateSoftwareToken = signedInAction(
  v.object({}),
  async (caller) => {
    requireFresh(caller);
    const { db, user, dependencies } = caller;
    const SecretCode = await dependencies.totps.begin(db, user.sub);
    if (SecretCode === undefined) throw alreadyOn();
    return { SecretCode };
  },
  { isReplayed: true },
);

/** The app shows that it knows the secret. */
export const verifySoftwareToken = signedInAction(
  v.object({ UserCode: softwareTokenCode }),
  async ({ db, user: { sub }, dependencies, context }, { UserCode }) => {
    await countRequest(db, { what: 'VerifySoftwareToken', who: sub, idempotencyKey: context.idempotencyKey }, dependencies.now());
    const row = await totps.lockBySub(db, sub);
    if (!row) throw noSoftwareToken();
    if (row.enabled) throw alreadyOn();
    if ((await dependencies.totps.check(db, row, UserCode)) !== 'right') return wrongSetUpCode();
    await totps.update(db, sub, { verified: true });
    return { Status: 'SUCCESS' };
  },
  { isReplayed: true },
);

const setting = v.optional(v.object({ Enabled: v.optional(v.boolean(), false), PreferredMfa: v.optional(v.boolean(), false) }));
const preferenceInput = v.object({ SoftwareTokenMfaSettings: setting, SMSMfaSettings: setting, EmailMfaSettings: setting });

/** Asks for the app at each sign-in from now on, or no more. Turned off, its secret is forgotten. */
export const setUserMfaPreference = signedInAction(preferenceInput, async (caller, sent) => {
  const { db, user } = caller;
  if (sent.SMSMfaSettings?.Enabled || sent.EmailMfaSettings?.Enabled) throw invalidParameter('Only software tokens are served here.');
  if (!sent.SoftwareTokenMfaSettings) return {};
  const row = await totps.lockBySub(db, user.sub);
  if (sent.SoftwareTokenMfaSettings.Enabled) {
    if (!row?.verified) throw invalidParameter('User has not verified software token mfa');
    await totps.update(db, user.sub, { enabled: true });
  } else if (row) {
    requireFresh(caller);
    await totps.remove(db, user.sub);
  }
  return {};
});
