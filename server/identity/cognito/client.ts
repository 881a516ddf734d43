import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminDisableUserCommand,
  AdminGetUserCommand,
  AdminSetUserMFAPreferenceCommand,
  AdminSetUserPasswordCommand,
  AdminUserGlobalSignOutCommand,
  CodeDeliveryFailureException,
  CognitoIdentityProviderClient,
  ForgotPasswordCommand,
  GetUserCommand,
  InitiateAuthCommand,
  InvalidParameterException,
  InvalidPasswordException,
  NotAuthorizedException,
  PasswordResetRequiredException,
  ResendConfirmationCodeCommand,
  RevokeTokenCommand,
  SignUpCommand,
  UserNotConfirmedException,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import type { FastifyBaseLogger } from 'fastify';
import { badField, refusal } from '#contract/core/errors.ts';
import type { CognitoConfig } from '../../platform/config/config.ts';
import { warnSeldom } from '../../platform/log/log.ts';

/**
 * How long a call of Cognito may connect and wait for the response (ms), and tries. Together shorter than a transaction may be idle.
 * @limit cognito
 */
const CONNECTING = 1_000;
const ANSWERING = 1_800;
const TRIES = 2;

export interface CognitoUser {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** Cognito's data about the holder of an access token. */
export interface TokenHolder {
  readonly email: string;
  readonly isVerified: boolean;
  /** True if signing in asks for a code from their authenticator app. */
  readonly hasApp: boolean;
}

/** The parts of Amazon Cognito that the product needs. If Cognito doesn't respond, each throws a refusal to try again later. */
export interface CognitoClient {
  /** Creates a user who confirms the address by Cognito's own mail; returns Cognito's id, or undefined if the address is taken. */
  signUp(user: CognitoUser): Promise<string | undefined>;
  /** Creates a user whose address is already confirmed; returns the same. */
  create(user: CognitoUser): Promise<string | undefined>;
  /** Returns whether the password is right, and leaves no session; Cognito counts a wrong one as a guess. */
  isPassword(email: string, password: string): Promise<boolean>;
  /** Returns a user's status by address or id; undefined for an unknown user. */
  statusOf(username: string): Promise<string | undefined>;
  /** Returns whether signing in asks the user for a code from an authenticator app. */
  hasApp(username: string): Promise<boolean>;
  turnAppOff(username: string): Promise<void>;
  remove(username: string): Promise<void>;
  disable(username: string): Promise<void>;
  signOut(username: string): Promise<void>;
  resend(email: string): Promise<void>;
  /** Mails a code that resets the password. */
  forgotPassword(email: string): Promise<void>;
  /** Returns the holder of an access token; `refused` if Cognito no longer accepts it, undefined if Cognito doesn't respond. */
  holderOf(accessToken: string): Promise<TokenHolder | 'refused' | undefined>;
  stop(): void;
}

interface CognitoClientOptions {
  readonly cognito: CognitoConfig;
  readonly log: FastifyBaseLogger;
}

export const regionOf = ({ userPoolId }: CognitoConfig): string => userPoolId.split('_')[0] ?? '';

export function openCognitoClient({ cognito, log }: CognitoClientOptions): CognitoClient {
  const client = new CognitoIdentityProviderClient({
    region: regionOf(cognito),
    maxAttempts: TRIES,
    requestHandler: { connectionTimeout: CONNECTING, requestTimeout: ANSWERING, throwOnRequestTimeout: true },
    ...(cognito.endpoint !== undefined && { endpoint: cognito.endpoint }),
  });
  return {
    ...accountCommands({ client, cognito, log }),
    ...adminCommands({ client, cognito, log }),
    holderOf: openHolderLookup({ client, log }),
    stop: () => client.destroy(),
  };
}

interface OpenedClient extends CognitoClientOptions {
  readonly client: CognitoIdentityProviderClient;
}

function accountCommands({
  client,
  cognito,
  log,
}: OpenedClient): Pick<CognitoClient, 'signUp' | 'create' | 'resend' | 'forgotPassword' | 'isPassword'> {
  const { userPoolId: UserPoolId, clientId: ClientId } = cognito;
  return {
    async signUp(user) {
      const { email: Username, password: Password } = user;
      const command = new SignUpCommand({ ClientId, Username, Password, UserAttributes: attributesOf(user) });
      const created = await translateErrors(client.send(command), log).catch(ignoreTaken);
      return created?.UserSub;
    },
    async create(user) {
      const { email: Username, password: Password } = user;
      const UserAttributes = [...attributesOf(user), { Name: 'email_verified', Value: 'true' }];
      const command = new AdminCreateUserCommand({ UserPoolId, Username, UserAttributes, MessageAction: 'SUPPRESS' });
      const created = await translateErrors(client.send(command), log).catch(ignoreTaken);
      if (!created) return undefined;
      try {
        await translateErrors(client.send(new AdminSetUserPasswordCommand({ UserPoolId, Username, Password, Permanent: true })), log);
      } catch (error) {
        await translateErrors(client.send(new AdminDeleteUserCommand({ UserPoolId, Username })), log).catch(ignoreUserNotFound);
        throw error;
      }
      return created.User?.Attributes?.find(({ Name }) => Name === 'sub')?.Value;
    },
    async isPassword(USERNAME, PASSWORD) {
      const AuthParameters = { USERNAME, PASSWORD };
      const command = new InitiateAuthCommand({ ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters });
      const session = await translateErrors(client.send(command).catch(ignoreRefused), log);
      const Token = session?.AuthenticationResult?.RefreshToken;
      if (Token !== undefined) await translateErrors(client.send(new RevokeTokenCommand({ ClientId, Token })), log);
      return session !== undefined;
    },
    async resend(Username) {
      await translateErrors(client.send(new ResendConfirmationCodeCommand({ ClientId, Username })), log).catch(ignoreUnneeded);
    },
    async forgotPassword(Username) {
      await translateErrors(client.send(new ForgotPasswordCommand({ ClientId, Username })), log);
    },
  };
}

function adminCommands({
  client,
  cognito,
  log,
}: OpenedClient): Pick<CognitoClient, 'statusOf' | 'hasApp' | 'turnAppOff' | 'remove' | 'disable' | 'signOut'> {
  const { userPoolId: UserPoolId } = cognito;
  return {
    async statusOf(Username) {
      const user = await translateErrors(client.send(new AdminGetUserCommand({ UserPoolId, Username })), log).catch(ignoreUserNotFound);
      return user?.UserStatus;
    },
    async hasApp(Username) {
      const user = await translateErrors(client.send(new AdminGetUserCommand({ UserPoolId, Username })), log).catch(ignoreUserNotFound);
      return user?.UserMFASettingList?.includes(APP) ?? false;
    },
    async turnAppOff(Username) {
      const command = new AdminSetUserMFAPreferenceCommand({ UserPoolId, Username, SoftwareTokenMfaSettings: { Enabled: false } });
      await translateErrors(client.send(command), log).catch(ignoreUserNotFound);
    },
    async remove(Username) {
      await translateErrors(client.send(new AdminDeleteUserCommand({ UserPoolId, Username })), log).catch(ignoreUserNotFound);
    },
    async disable(Username) {
      await translateErrors(client.send(new AdminDisableUserCommand({ UserPoolId, Username })), log).catch(ignoreUserNotFound);
    },
    async signOut(Username) {
      await translateErrors(client.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username })), log).catch(ignoreUserNotFound);
    },
  };
}

function openHolderLookup({ client, log }: Omit<OpenedClient, 'cognito'>): CognitoClient['holderOf'] {
  const warn = warnSeldom(log, 'a token could not be checked with Amazon Cognito');
  return async (AccessToken) => {
    try {
      const { UserAttributes = [], UserMFASettingList = [] } = await client.send(new GetUserCommand({ AccessToken }));
      const attribute = (name: string) => UserAttributes.find(({ Name }) => Name === name)?.Value;
      return {
        email: attribute('email') ?? '',
        isVerified: attribute('email_verified') === 'true',
        hasApp: UserMFASettingList.includes(APP),
      };
    } catch (error) {
      if (ENDED.some((kind) => error instanceof kind)) return 'refused';
      warn(error);
      return undefined;
    }
  };
}

/** An authenticator app. */
const APP = 'SOFTWARE_TOKEN_MFA';

/** Thrown for users who are signed out, disabled, deleted, or have to confirm or reset first. */
const ENDED = [NotAuthorizedException, UserNotFoundException, UserNotConfirmedException, PasswordResetRequiredException];

/** Returns Cognito's answer; throws a refusal for an unexpected error. */
async function translateErrors<T>(answer: Promise<T>, log: FastifyBaseLogger): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof InvalidPasswordException) throw badField('password', 'Choose a stronger password');
    if (isExpected(error)) throw error;
    log.warn({ err: error }, 'a request to Amazon Cognito failed');
    throw refusal('overloaded', { retryAfter: 2 });
  }
}

const attributesOf = ({ email, name }: CognitoUser) => [
  { Name: 'email', Value: email },
  ...(name === '' ? [] : [{ Name: 'name', Value: name }]),
];

const isExpected = (error: unknown): boolean =>
  [UsernameExistsException, UserNotFoundException, InvalidParameterException, CodeDeliveryFailureException].some(
    (expected) => error instanceof expected,
  );

/** Returns a handler that turns the given errors into undefined and rethrows all others. */
const ignore =
  (...expected: (abstract new (...sent: never[]) => Error)[]) =>
  (error: unknown): undefined => {
    if (!expected.some((kind) => error instanceof kind)) throw error;
  };

const ignoreTaken = ignore(UsernameExistsException);
const ignoreUserNotFound = ignore(UserNotFoundException);
/** The password is wrong, or the user is unknown or may not sign in. */
const ignoreRefused = ignore(NotAuthorizedException, UserNotFoundException, UserNotConfirmedException, PasswordResetRequiredException);
/** The address is already confirmed or unknown. */
const ignoreUnneeded = ignore(UserNotFoundException, InvalidParameterException);
