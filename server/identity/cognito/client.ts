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

/** Shorter than a transaction may be idle, tries and waits together (ms). */
const CONNECTING = 1_000;
const ANSWERING = 1_800;
const TRIES = 2;

/** Somebody as Cognito is to know them. */
export interface CognitoUser {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** What Cognito says of whoever holds an access token. */
export interface TokenHolder {
  readonly email: string;
  /** Whether they have proved to read it. */
  readonly isVerified: boolean;
  /** Whether signing in asks for a code of their authenticator app. */
  readonly hasApp: boolean;
}

/** Amazon Cognito, as far as the product needs it. Where Cognito does not answer, each throws a refusal to try again later. */
export interface CognitoClient {
  /** Makes somebody whose address is to be confirmed by Cognito's own mail. Gives Cognito's id of them; undefined when the address is taken. */
  signUp(user: CognitoUser): Promise<string | undefined>;
  /** Makes somebody whose address is known to be theirs. */
  create(user: CognitoUser): Promise<string | undefined>;
  /** Whether somebody signs in with this password; a wrong one counts as a guess. No session is left of it. */
  isPassword(email: string, password: string): Promise<boolean>;
  /** How somebody stands, by address or id; undefined when there is nobody. */
  statusOf(username: string): Promise<string | undefined>;
  /** Whether signing in asks somebody for a code of their authenticator app. */
  hasApp(username: string): Promise<boolean>;
  turnAppOff(username: string): Promise<void>;
  remove(username: string): Promise<void>;
  disable(username: string): Promise<void>;
  signOut(username: string): Promise<void>;
  resend(email: string): Promise<void>;
  /** Mails a code that sets a new password. */
  forgotPassword(email: string): Promise<void>;
  /** Who holds an access token. `refused` where it stands no more, whatever its signature says; undefined where Cognito does not answer. */
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
    ...makingUsers({ client, cognito, log }),
    ...managingUsers({ client, cognito, log }),
    holderOf: readingHolders({ client, log }),
    stop: () => client.destroy(),
  };
}

interface OpenedClient extends CognitoClientOptions {
  readonly client: CognitoIdentityProviderClient;
}

function makingUsers({
  client,
  cognito,
  log,
}: OpenedClient): Pick<CognitoClient, 'signUp' | 'create' | 'resend' | 'forgotPassword' | 'isPassword'> {
  const { userPoolId: UserPoolId, clientId: ClientId } = cognito;
  return {
    async signUp(user) {
      const { email: Username, password: Password } = user;
      const command = new SignUpCommand({ ClientId, Username, Password, UserAttributes: attributesOf(user) });
      const made = await answered(client.send(command), log).catch(unlessTaken);
      return made?.UserSub;
    },
    async create(user) {
      const { email: Username, password: Password } = user;
      const UserAttributes = [...attributesOf(user), { Name: 'email_verified', Value: 'true' }];
      const command = new AdminCreateUserCommand({ UserPoolId, Username, UserAttributes, MessageAction: 'SUPPRESS' });
      const made = await answered(client.send(command), log).catch(unlessTaken);
      if (!made) return undefined;
      try {
        await answered(client.send(new AdminSetUserPasswordCommand({ UserPoolId, Username, Password, Permanent: true })), log);
      } catch (error) {
        await answered(client.send(new AdminDeleteUserCommand({ UserPoolId, Username })), log).catch(unlessUserNotFound);
        throw error;
      }
      return made.User?.Attributes?.find(({ Name }) => Name === 'sub')?.Value;
    },
    async isPassword(USERNAME, PASSWORD) {
      const AuthParameters = { USERNAME, PASSWORD };
      const command = new InitiateAuthCommand({ ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters });
      const opened = await answered(client.send(command).catch(unlessRefused), log);
      const Token = opened?.AuthenticationResult?.RefreshToken;
      if (Token !== undefined) await answered(client.send(new RevokeTokenCommand({ ClientId, Token })), log);
      return opened !== undefined;
    },
    async resend(Username) {
      await answered(client.send(new ResendConfirmationCodeCommand({ ClientId, Username })), log).catch(unlessUnneeded);
    },
    async forgotPassword(Username) {
      await answered(client.send(new ForgotPasswordCommand({ ClientId, Username })), log);
    },
  };
}

function managingUsers({
  client,
  cognito,
  log,
}: OpenedClient): Pick<CognitoClient, 'statusOf' | 'hasApp' | 'turnAppOff' | 'remove' | 'disable' | 'signOut'> {
  const { userPoolId: UserPoolId } = cognito;
  return {
    async statusOf(Username) {
      const found = await answered(client.send(new AdminGetUserCommand({ UserPoolId, Username })), log).catch(unlessUserNotFound);
      return found?.UserStatus;
    },
    async hasApp(Username) {
      const found = await answered(client.send(new AdminGetUserCommand({ UserPoolId, Username })), log).catch(unlessUserNotFound);
      return found?.UserMFASettingList?.includes(APP) ?? false;
    },
    async turnAppOff(Username) {
      const command = new AdminSetUserMFAPreferenceCommand({ UserPoolId, Username, SoftwareTokenMfaSettings: { Enabled: false } });
      await answered(client.send(command), log).catch(unlessUserNotFound);
    },
    async remove(Username) {
      await answered(client.send(new AdminDeleteUserCommand({ UserPoolId, Username })), log).catch(unlessUserNotFound);
    },
    async disable(Username) {
      await answered(client.send(new AdminDisableUserCommand({ UserPoolId, Username })), log).catch(unlessUserNotFound);
    },
    async signOut(Username) {
      await answered(client.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username })), log).catch(unlessUserNotFound);
    },
  };
}

function readingHolders({ client, log }: Omit<OpenedClient, 'cognito'>): CognitoClient['holderOf'] {
  const warn = warnSeldom(log, 'Amazon Cognito does not say who holds a token');
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

/** Signed out, disabled, deleted, or to prove themselves anew. */
const ENDED = [NotAuthorizedException, UserNotFoundException, UserNotConfirmedException, PasswordResetRequiredException];

/** What Cognito answered; an error that nobody expects becomes a refusal. */
async function answered<T>(answer: Promise<T>, log: FastifyBaseLogger): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof InvalidPasswordException) throw badField('password', 'Choose a stronger password');
    if (isExpected(error)) throw error;
    log.warn({ err: error }, 'Amazon Cognito did not do what it was asked for');
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

/** Lets some kinds of error stand for "nothing", and no other. */
const unless =
  (...expected: (abstract new (...sent: never[]) => Error)[]) =>
  (error: unknown): undefined => {
    if (!expected.some((kind) => error instanceof kind)) throw error;
  };

const unlessTaken = unless(UsernameExistsException);
const unlessUserNotFound = unless(UserNotFoundException);
/** Wrong, of nobody, or of somebody who may not sign in. */
const unlessRefused = unless(NotAuthorizedException, UserNotFoundException, UserNotConfirmedException, PasswordResetRequiredException);
/** The address is confirmed already, or nobody's. */
const unlessUnneeded = unless(UserNotFoundException, InvalidParameterException);
