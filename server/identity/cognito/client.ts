import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminDisableUserCommand,
  AdminGetUserCommand,
  AdminSetUserPasswordCommand,
  AdminUserGlobalSignOutCommand,
  CodeDeliveryFailureException,
  CognitoIdentityProviderClient,
  InvalidParameterException,
  InvalidPasswordException,
  ResendConfirmationCodeCommand,
  SignUpCommand,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import type { FastifyBaseLogger } from 'fastify';
import { badField, refusal } from '#contract/errors.ts';
import type { CognitoConfig } from '../../kernel/config.ts';

/** Shorter than a transaction may be idle, tries and waits together. */
const CONNECTING = 1_000;
const ANSWERING = 1_800;
const TRIES = 2;

/** Somebody as the pool is to know them. */
export interface RemoteUser {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** Amazon Cognito, as far as the product's rooms need it. Unanswered, it is a refusal to try again later. */
export interface RemotePool {
  /** Makes somebody whose address is to be confirmed by the pool's own mail. Gives the pool's name for them; undefined when the address is taken. */
  signUp(user: RemoteUser): Promise<string | undefined>;
  /** Makes somebody whose address is known to be theirs. */
  create(user: RemoteUser): Promise<string | undefined>;
  /** How somebody stands, by address or name; undefined when there is nobody. */
  statusOf(username: string): Promise<string | undefined>;
  remove(username: string): Promise<void>;
  disable(username: string): Promise<void>;
  signOut(username: string): Promise<void>;
  resend(email: string): Promise<void>;
  stop(): void;
}

interface RemotePoolOptions {
  readonly cognito: CognitoConfig;
  readonly log: FastifyBaseLogger;
}

export const regionOf = ({ userPoolId }: CognitoConfig): string => userPoolId.split('_')[0] ?? '';

export function openRemotePool({ cognito, log }: RemotePoolOptions): RemotePool {
  const { userPoolId: UserPoolId, clientId: ClientId, endpoint } = cognito;
  const client = new CognitoIdentityProviderClient({
    region: regionOf(cognito),
    maxAttempts: TRIES,
    requestHandler: { connectionTimeout: CONNECTING, requestTimeout: ANSWERING, throwOnRequestTimeout: true },
    ...(endpoint !== undefined && { endpoint }),
  });

  return {
    async signUp(user) {
      const { email: Username, password: Password } = user;
      const made = await asked(client.send(new SignUpCommand({ ClientId, Username, Password, UserAttributes: attributesOf(user) }))).catch(
        unlessTaken,
      );
      return made?.UserSub;
    },
    async create(user) {
      const { email: Username, password: Password } = user;
      const UserAttributes = [...attributesOf(user), { Name: 'email_verified', Value: 'true' }];
      const command = new AdminCreateUserCommand({ UserPoolId, Username, UserAttributes, MessageAction: 'SUPPRESS' });
      const made = await asked(client.send(command)).catch(unlessTaken);
      if (!made) return undefined;
      try {
        await asked(client.send(new AdminSetUserPasswordCommand({ UserPoolId, Username, Password, Permanent: true })));
      } catch (error) {
        await remove(Username);
        throw error;
      }
      return made.User?.Attributes?.find(({ Name }) => Name === 'sub')?.Value;
    },
    async statusOf(Username) {
      const found = await asked(client.send(new AdminGetUserCommand({ UserPoolId, Username }))).catch(unlessNobody);
      return found?.UserStatus;
    },
    remove,
    async disable(Username) {
      await asked(client.send(new AdminDisableUserCommand({ UserPoolId, Username }))).catch(unlessNobody);
    },
    async signOut(Username) {
      await asked(client.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username }))).catch(unlessNobody);
    },
    async resend(Username) {
      await asked(client.send(new ResendConfirmationCodeCommand({ ClientId, Username }))).catch(unlessUnneeded);
    },
    stop: () => client.destroy(),
  };

  async function remove(Username: string): Promise<void> {
    await asked(client.send(new AdminDeleteUserCommand({ UserPoolId, Username }))).catch(unlessNobody);
  }

  async function asked<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof InvalidPasswordException) throw badField('password', 'Choose a stronger password');
      if (isExpected(error)) throw error;
      log.warn({ err: error }, 'Amazon Cognito did not do what it was asked for');
      throw refusal('overloaded', { retryAfter: 2 });
    }
  }
}

const attributesOf = ({ email, name }: RemoteUser) => [
  { Name: 'email', Value: email },
  ...(name === '' ? [] : [{ Name: 'name', Value: name }]),
];

const isExpected = (error: unknown): boolean =>
  [UsernameExistsException, UserNotFoundException, InvalidParameterException, CodeDeliveryFailureException].some(
    (expected) => error instanceof expected,
  );

/** Lets one kind of error stand for "nothing", and no other. */
const unless =
  (...expected: (abstract new (...sent: never[]) => Error)[]) =>
  (error: unknown): undefined => {
    if (!expected.some((kind) => error instanceof kind)) throw error;
  };

const unlessTaken = unless(UsernameExistsException);
const unlessNobody = unless(UserNotFoundException);
/** The address is confirmed already, or nobody's. */
const unlessUnneeded = unless(UserNotFoundException, InvalidParameterException);
