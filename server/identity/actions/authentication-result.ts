import type { Desk } from '../action.ts';
import type { NewDevice } from '../device.ts';
import type { Session } from '../session-store.ts';
import { TOKEN_LIFE } from '../tokens.ts';
import type { User } from '../user-store.ts';

interface Authenticated {
  readonly user: User;
  readonly session: Session;
  /** Undefined: the client keeps the one it has. */
  readonly refreshToken?: string | undefined;
  /** Undefined: the client has a device already. */
  readonly newDevice?: NewDevice | undefined;
}

/** Tokens for a session, as Cognito hands them out. */
export async function authenticationResult({ tokens }: Desk, { user, session, refreshToken, newDevice }: Authenticated) {
  const { family, deviceKey, signedIn } = session;
  const { sub, email, emailVerified, groups } = user;
  return {
    AuthenticationResult: {
      ...(await tokens.issue({ sub, email, emailVerified, groups, family, deviceKey, signedIn })),
      ExpiresIn: TOKEN_LIFE,
      TokenType: 'Bearer',
      ...(refreshToken !== undefined && { RefreshToken: refreshToken }),
      ...(newDevice && { NewDeviceMetadata: newDevice }),
    },
    ChallengeParameters: {},
  };
}
