import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

export const POOL_ID = 'us-west-2_Standin01';
export const CLIENT_ID = 'standinclient01';
const ISSUER = `https://cognito-idp.us-west-2.amazonaws.com/${POOL_ID}`;

/** A request that the stand-in received. */
export interface Asked {
  readonly action: string;
  // biome-ignore lint/suspicious/noExplicitAny: a body that a test takes apart
  readonly body: any;
  readonly isSigned: boolean;
}

/** Answers the next request with this, instead of doing what is asked. */
export type StandInTrouble = 'hang' | 'break' | { readonly type: string };

/** Stands in for Amazon Cognito: keeps users by address, records what is asked, signs tokens. */
export interface CognitoStandIn {
  readonly url: string;
  readonly asked: Asked[];
  /** The users by email. */
  readonly users: Map<string, { sub: string; status: string; enabled: boolean; password: string }>;
  /** What happens to the next calls of an action. */
  readonly trouble: Map<string, StandInTrouble[]>;
  /** How often the keys were fetched; set `keys` to let that fail. */
  fetched: number;
  keys: 'there' | 'away' | 'nonsense';
  /** An access token as the pool signs it, or with a wrong issuer or key. */
  token(claims?: JWTPayload, bend?: { issuer?: string; key?: 'another' }): Promise<string>;
  stop(): Promise<void>;
}

export async function openCognito(now: () => number): Promise<CognitoStandIn> {
  const [pair, another] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    if (request.method === 'GET') {
      standIn.fetched += 1;
      if (standIn.keys === 'there' && request.url === `/${POOL_ID}/.well-known/jwks.json`) return answer(200, { keys: [jwk] });
      return standIn.keys === 'nonsense' ? answer(200, 'nonsense') : answer(503, {});
    }
    void bodyOf(request).then((body) => {
      const action = String(request.headers['x-amz-target']).split('.')[1] ?? '';
      standIn.asked.push({ action, body, isSigned: request.headers.authorization !== undefined });
      const trouble = standIn.trouble.get(action)?.shift();
      if (trouble === 'hang') return;
      if (trouble === 'break') return answer(500, { __type: 'InternalErrorException', message: 'broken' });
      if (trouble) return answer(400, { __type: trouble.type, message: 'no' });
      const [status, done] = perform(action, body, standIn.users);
      answer(status, done);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const standIn: CognitoStandIn = {
    // A listening server has one.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    users: new Map(),
    trouble: new Map(),
    fetched: 0,
    keys: 'there',
    token(claims = {}, { issuer = ISSUER, key } = {}) {
      const iat = Math.floor(now() / 1000);
      const common = { token_use: 'access', client_id: CLIENT_ID, origin_jti: randomUUID(), jti: randomUUID(), sub: randomUUID() };
      return new SignJWT({ ...common, iat, exp: iat + 3_600, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .setIssuer(issuer)
        .sign((key === 'another' ? another : pair).privateKey);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return standIn;
}

async function bodyOf(
  request: IncomingMessage,
): Promise<{ Username: string; Password: string; UserAttributes: { Name: string; Value: string }[] }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

type Users = CognitoStandIn['users'];

function perform(action: string, { Username, Password }: Awaited<ReturnType<typeof bodyOf>>, users: Users): [number, unknown] {
  const [email, user] = [...users].find(([address, { sub }]) => address === Username || sub === Username) ?? [];
  const no = (type: string): [number, unknown] => [400, { __type: type, message: 'no' }];
  if (action === 'SignUp' || action === 'AdminCreateUser') {
    if (user) return no('UsernameExistsException');
    const sub = randomUUID();
    const status = action === 'SignUp' ? 'UNCONFIRMED' : 'FORCE_CHANGE_PASSWORD';
    users.set(Username, { sub, status, enabled: true, password: Password });
    return [
      200,
      action === 'SignUp' ? { UserConfirmed: false, UserSub: sub } : { User: { Username: sub, Attributes: [{ Name: 'sub', Value: sub }] } },
    ];
  }
  if (!user || email === undefined) return no('UserNotFoundException');
  if (action === 'AdminSetUserPassword') Object.assign(user, { status: 'CONFIRMED', password: Password });
  if (action === 'AdminDeleteUser') users.delete(email);
  if (action === 'AdminDisableUser') user.enabled = false;
  if (action === 'AdminGetUser') return [200, { Username: user.sub, UserStatus: user.status, Enabled: user.enabled }];
  if (action === 'ResendConfirmationCode' && user.status !== 'UNCONFIRMED') return no('InvalidParameterException');
  return [200, {}];
}
