import { randomBytes, randomUUID } from 'node:crypto';
import { type CryptoKey, errors, type JWTPayload, jwtVerify } from 'jose';
import { Secret, TOTP } from 'otpauth';

export const POOL_ID = 'us-west-2_Standin01';
export const CLIENT_ID = 'standinclient01';
export const ISSUER = `https://cognito-idp.us-west-2.amazonaws.com/${POOL_ID}`;

/** A user of the stand-in's pool. */
interface StandInUser {
  readonly sub: string;
  status: string;
  enabled: boolean;
  password: string;
  /** Whether the email is verified; defaults to true once the user is confirmed. */
  isVerified?: boolean;
  /** The new email until its code is redeemed. */
  pendingEmail?: string;
  /** The authenticator app's secret, in base 32. */
  secret?: string;
  hasApp?: boolean;
  /** The half-minute step of the last used code. */
  usedStep?: number;
  groups?: string[];
}

/** The pool's data. */
export interface StandInState {
  /** Users by email. */
  readonly users: Map<string, StandInUser>;
  /** The last mailed code, by email. */
  readonly codes: Map<string, string>;
  /** Sign-ins by `origin_jti`. */
  readonly families: Map<string, Family>;
  /** By user, the time before which tokens of sign-ins outside `families` are revoked. */
  readonly endedBefore: Map<string, number>;
  readonly challenges: Map<string, string>;
  readonly now: () => number;
  readonly sign: (claims: JWTPayload) => Promise<string>;
  readonly publicKey: CryptoKey;
  readonly newCode: () => string;
}

interface Family {
  readonly sub: string;
  readonly refreshToken: string;
  readonly signedIn: number;
  isRevoked: boolean;
}

export const openState = (options: Pick<StandInState, 'now' | 'sign' | 'publicKey' | 'newCode'>): StandInState => ({
  ...options,
  users: new Map(),
  codes: new Map(),
  families: new Map(),
  endedBefore: new Map(),
  challenges: new Map(),
});

/** An error of the protocol. `name` is its type. */
export class CognitoError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what an SDK sends
type WireBody = any;
type StandInAction = (state: StandInState, input: WireBody) => Promise<unknown> | unknown;

const notAuthorized = (message: string) => new CognitoError('NotAuthorizedException', message);

/** The stand-in's actions, with Cognito's messages. */
export const ACTIONS: Readonly<Record<string, StandInAction>> = {
  SignUp(state, { Username, Password }) {
    const sub = add(state, { email: Username, status: 'UNCONFIRMED', password: Password });
    mailCode(state, Username);
    return { UserConfirmed: false, UserSub: sub, CodeDeliveryDetails: delivery(Username) };
  },
  ConfirmSignUp(state, { Username, ConfirmationCode }) {
    const { user, email } = userNamed(state, Username);
    if (user.status === 'CONFIRMED') throw notAuthorized('User cannot be confirmed. Current status is CONFIRMED');
    redeem(state, email, ConfirmationCode);
    user.status = 'CONFIRMED';
    return {};
  },
  ResendConfirmationCode(state, { Username }) {
    const { user, email } = userNamed(state, Username);
    if (user.status !== 'UNCONFIRMED') throw new CognitoError('InvalidParameterException', 'User is already confirmed.');
    mailCode(state, email);
    return { CodeDeliveryDetails: delivery(email) };
  },
  ForgotPassword(state, { Username }) {
    const { email } = userNamed(state, Username);
    mailCode(state, email);
    return { CodeDeliveryDetails: delivery(email) };
  },
  InitiateAuth(state, { AuthFlow, AuthParameters: { USERNAME, PASSWORD } = {} }) {
    if (AuthFlow !== 'USER_PASSWORD_AUTH')
      throw new CognitoError('InvalidParameterException', `${AuthFlow} flow not enabled for this client`);
    const user = checkPassword(state, { email: USERNAME, password: PASSWORD });
    if (!user.hasApp) return signIn(state, user);
    const Session = randomBytes(32).toString('base64url');
    state.challenges.set(Session, user.sub);
    return { ChallengeName: 'SOFTWARE_TOKEN_MFA', Session, ChallengeParameters: { USER_ID_FOR_SRP: user.sub } };
  },
  RespondToAuthChallenge(state, { Session, ChallengeResponses: { SOFTWARE_TOKEN_MFA_CODE } }) {
    const { user } = userNamed(state, state.challenges.get(Session) ?? '');
    checkAppCode(state, user, SOFTWARE_TOKEN_MFA_CODE, 'CodeMismatchException');
    state.challenges.delete(Session);
    return signIn(state, user);
  },
  async GetTokensFromRefreshToken(state, { RefreshToken }) {
    const [id, family] = [...state.families].find(([, { refreshToken }]) => refreshToken === RefreshToken) ?? [];
    if (id === undefined || !family) throw notAuthorized('Invalid Refresh Token');
    if (family.isRevoked) throw notAuthorized('Refresh Token has been revoked');
    const { RefreshToken: _refreshToken, ...tokens } = await tokensOf(state, id);
    return { AuthenticationResult: tokens };
  },
  RevokeToken(state, { Token }) {
    for (const family of state.families.values()) if (family.refreshToken === Token) family.isRevoked = true;
    return {};
  },
  async GlobalSignOut(state, { AccessToken }) {
    signOutEverywhere(state, (await holder(state, AccessToken)).user.sub);
    return {};
  },
  async GetUser(state, { AccessToken }) {
    const { user, email } = await holder(state, AccessToken);
    const isVerified = user.isVerified ?? user.status === 'CONFIRMED';
    return {
      Username: user.sub,
      UserAttributes: [
        { Name: 'sub', Value: user.sub },
        { Name: 'email', Value: email },
        { Name: 'email_verified', Value: String(isVerified) },
      ],
      ...(user.hasApp && { UserMFASettingList: ['SOFTWARE_TOKEN_MFA'], PreferredMfaSetting: 'SOFTWARE_TOKEN_MFA' }),
    };
  },
  async UpdateUserAttributes(state, { AccessToken, UserAttributes }) {
    const { user } = await holder(state, AccessToken);
    const email = UserAttributes.find(({ Name }: { Name: string }) => Name === 'email')?.Value;
    if (state.users.has(email)) throw new CognitoError('AliasExistsException', 'An account with the given email already exists.');
    user.pendingEmail = email;
    mailCode(state, email);
    return { CodeDeliveryDetailsList: [delivery(email)] };
  },
  async VerifyUserAttribute(state, { AccessToken, Code }) {
    const { user, email } = await holder(state, AccessToken);
    const { pendingEmail = '' } = user;
    redeem(state, pendingEmail, Code);
    state.users.delete(email);
    delete user.pendingEmail;
    state.users.set(pendingEmail, user);
    return {};
  },
  async AssociateSoftwareToken(state, { AccessToken }) {
    const { user } = await holder(state, AccessToken);
    user.secret = new Secret({ size: 32 }).base32;
    return { SecretCode: user.secret };
  },
  async VerifySoftwareToken(state, { AccessToken, UserCode }) {
    const { user } = await holder(state, AccessToken);
    checkAppCode(state, user, UserCode, 'EnableSoftwareTokenMFAException');
    return { Status: 'SUCCESS' };
  },
  async SetUserMFAPreference(state, { AccessToken, SoftwareTokenMfaSettings }) {
    const { user } = await holder(state, AccessToken);
    if (user.secret === undefined) throw new CognitoError('InvalidParameterException', 'User has not verified software token mfa');
    user.hasApp = SoftwareTokenMfaSettings.Enabled;
    return {};
  },
  async ListDevices(state, { AccessToken }) {
    await holder(state, AccessToken);
    throw new CognitoError('InvalidParameterException', 'Device tracking is not enabled for this pool.');
  },
  AdminCreateUser(state, { Username, TemporaryPassword = '' }) {
    const sub = add(state, { email: Username, status: 'FORCE_CHANGE_PASSWORD', password: TemporaryPassword });
    return { User: { Username: sub, Attributes: [{ Name: 'sub', Value: sub }] } };
  },
  AdminSetUserPassword(state, { Username, Password }) {
    Object.assign(userNamed(state, Username).user, { status: 'CONFIRMED', password: Password });
    return {};
  },
  AdminDeleteUser(state, { Username }) {
    state.users.delete(userNamed(state, Username).email);
    return {};
  },
  AdminDisableUser(state, { Username }) {
    userNamed(state, Username).user.enabled = false;
    return {};
  },
  AdminGetUser(state, { Username }) {
    const { user } = userNamed(state, Username);
    const app = user.hasApp && { UserMFASettingList: ['SOFTWARE_TOKEN_MFA'] };
    return { Username: user.sub, UserStatus: user.status, Enabled: user.enabled, ...app };
  },
  AdminSetUserMFAPreference(state, { Username, SoftwareTokenMfaSettings }) {
    userNamed(state, Username).user.hasApp = SoftwareTokenMfaSettings.Enabled;
    return {};
  },
  AdminUserGlobalSignOut(state, { Username }) {
    signOutEverywhere(state, userNamed(state, Username).user.sub);
    return {};
  },
};

function add({ users }: StandInState, { email, ...rest }: { email: string; status: string; password: string }): string {
  if (users.has(email)) throw new CognitoError('UsernameExistsException', 'An account with the given email already exists.');
  const sub = randomUUID();
  users.set(email, { ...rest, sub, enabled: true });
  return sub;
}

function userNamed({ users }: StandInState, name: string): { user: StandInUser; email: string } {
  const [email, user] = [...users].find(([address, { sub }]) => address === name || sub === name) ?? [];
  if (!user || email === undefined) throw new CognitoError('UserNotFoundException', 'User does not exist.');
  return { user, email };
}

const delivery = (email: string) => ({ AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: `${email.slice(0, 1)}***@***` });

const mailCode = ({ codes, newCode }: StandInState, email: string): void => void codes.set(email, newCode());

function redeem({ codes }: StandInState, email: string, code: string): void {
  if (!codes.has(email)) throw new CognitoError('ExpiredCodeException', 'Invalid code provided, please request a code again.');
  if (codes.get(email) !== code) throw new CognitoError('CodeMismatchException', 'Invalid verification code provided, please try again.');
  codes.delete(email);
}

/** Returns the user with this password. Throws Cognito's error otherwise. */
export function checkPassword(state: StandInState, { email, password }: { email: string; password: string }): StandInUser {
  const user = state.users.get(email);
  if (!user || user.password !== password || password === '') throw notAuthorized('Incorrect username or password.');
  if (!user.enabled) throw notAuthorized('User is disabled.');
  if (user.status === 'UNCONFIRMED') throw new CognitoError('UserNotConfirmedException', 'User is not confirmed.');
  return user;
}

const HALF_MINUTE = 30_000;

/** Accepts each code once, up to a half minute early or late. */
function checkAppCode({ now }: StandInState, user: StandInUser, code: string, mismatch: string): void {
  const totp = new TOTP({ secret: Secret.fromBase32(user.secret ?? '') });
  const delta = totp.validate({ token: code, timestamp: now(), window: 1 });
  if (delta === null) throw new CognitoError(mismatch, 'Invalid code received for user');
  const step = Math.floor(now() / HALF_MINUTE) + delta;
  if (step <= (user.usedStep ?? 0)) throw new CognitoError('ExpiredCodeException', 'Your software token has already been used once.');
  user.usedStep = step;
}

const signIn = async (state: StandInState, user: StandInUser) => ({
  AuthenticationResult: await tokensOf(state, openFamily(state, user)),
  ChallengeParameters: {},
});

/** Starts a session, and returns its `origin_jti`. */
export function openFamily({ families, now }: StandInState, { sub }: StandInUser): string {
  const id = randomUUID();
  families.set(id, { sub, refreshToken: randomBytes(48).toString('base64url'), signedIn: Math.floor(now() / 1000), isRevoked: false });
  return id;
}

const SCOPES = 'aws.cognito.signin.user.admin openid email profile';

/** Returns the tokens of a sign-in. */
export async function tokensOf(state: StandInState, id: string) {
  const family = state.families.get(id);
  if (!family) throw notAuthorized('Invalid Refresh Token');
  const { sub, signedIn, refreshToken } = family;
  const { user, email } = userNamed(state, sub);
  const groups = user.groups && { 'cognito:groups': user.groups };
  const common = { sub, origin_jti: id, event_id: randomUUID(), auth_time: signedIn, ...groups };
  return {
    AccessToken: await state.sign({ ...common, token_use: 'access', client_id: CLIENT_ID, username: sub, scope: SCOPES }),
    IdToken: await state.sign({ ...common, token_use: 'id', aud: CLIENT_ID, 'cognito:username': sub, email, email_verified: true }),
    RefreshToken: refreshToken,
    ExpiresIn: 3_600,
    TokenType: 'Bearer',
  };
}

/** Returns the owner of a valid access token. */
async function holder(state: StandInState, token: string): Promise<{ user: StandInUser; email: string }> {
  const { sub = '', origin_jti = '', iat = 0, token_use } = await claimsOf(state, token);
  if (token_use !== 'access') throw notAuthorized('Invalid Access Token');
  const owner = userNamed(state, sub);
  const isRevoked = state.families.get(String(origin_jti))?.isRevoked ?? iat * 1000 <= (state.endedBefore.get(sub) ?? 0);
  if (isRevoked) throw notAuthorized('Access Token has been revoked');
  if (!owner.user.enabled) throw notAuthorized('User is disabled.');
  return owner;
}

async function claimsOf({ now, publicKey }: StandInState, token: string): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, publicKey, { issuer: ISSUER, currentDate: new Date(now()) })).payload;
  } catch (error) {
    throw notAuthorized(error instanceof errors.JWTExpired ? 'Access Token has expired' : 'Invalid Access Token');
  }
}

function signOutEverywhere({ families, endedBefore, now }: StandInState, sub: string): void {
  for (const family of families.values()) if (family.sub === sub) family.isRevoked = true;
  endedBefore.set(sub, now());
}
