import type { NewDevice } from '../pool/device.ts';
import type { SessionRow } from '../pool/sessions-store.ts';
import { TOKEN_LIFE } from '../pool/tokens.ts';
import type { UserRow } from '../pool/users-store.ts';
import type { Dependencies } from './action.ts';

/** Somebody who is signed in, in which session. */
export interface Authenticated {
  readonly user: UserRow;
  readonly session: SessionRow;
  readonly groups: readonly string[];
  /** Undefined: the client keeps the one it has. */
  readonly refreshToken?: string | undefined;
  /** Undefined: the client has a device already. */
  readonly newDevice?: NewDevice | undefined;
}

/** Tokens for a session, as Cognito hands them out. */
export async function authenticationResult({ tokens }: Dependencies, { user, session, groups, refreshToken, newDevice }: Authenticated) {
  const { family, deviceKey, signedIn } = session;
  const { sub, email, emailVerified, name } = user;
  return {
    AuthenticationResult: {
      ...(await tokens.issue({ sub, email, emailVerified, name, groups, family, deviceKey, signedIn })),
      ExpiresIn: TOKEN_LIFE,
      TokenType: 'Bearer',
      ...(refreshToken !== undefined && { RefreshToken: refreshToken }),
      ...(newDevice && { NewDeviceMetadata: newDevice }),
    },
    ChallengeParameters: {},
  };
}
