import { randomInt, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { ACTIONS, CLIENT_ID, CognitoError, ISSUER, openState, POOL_ID, type StandInState } from './actions.ts';

/** A request that the stand-in received. */
interface StandInRequest {
  readonly action: string;
  // biome-ignore lint/suspicious/noExplicitAny: a body that a test reads without types
  readonly body: any;
  readonly isSigned: boolean;
}

/** A failure returned in place of the next response. */
type StandInFailure = 'hang' | 'break' | { readonly type: string };

/** Stands in for Amazon Cognito: stores users by email, records requests, signs tokens, and allows any origin. */
export interface CognitoStandIn extends Pick<StandInState, 'users' | 'codes'> {
  readonly url: string;
  readonly requests: StandInRequest[];
  /** The failures of the next calls, by action. */
  readonly failures: Map<string, StandInFailure[]>;
  /** The number of key fetches; set `keys` to make them fail. */
  fetched: number;
  keys: 'there' | 'away' | 'nonsense' | 'unknown';
  readonly state: StandInState;
  /** Returns an access token as the pool signs it, or with a wrong issuer or key. */
  token(claims?: JWTPayload, flaws?: { issuer?: string; key?: 'another' }): Promise<string>;
  stop(): Promise<void>;
}

export async function openCognito(now: () => number): Promise<CognitoStandIn> {
  const [pair, another] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const sign = (claims: JWTPayload, { issuer = ISSUER, key }: { issuer?: string; key?: 'another' } = {}): Promise<string> => {
    const iat = Math.floor(now() / 1000);
    return new SignJWT({ jti: randomUUID(), iat, exp: iat + 3_600, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(issuer)
      .sign((key === 'another' ? another : pair).privateKey);
  };
  const state = openState({ now, sign, publicKey: pair.publicKey, newCode: () => String(randomInt(1_000_000)).padStart(6, '0') });
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': randomUUID() });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    openToBrowsers(response);
    if (request.method === 'OPTIONS') return answer(200, '');
    if (request.method === 'GET') {
      standIn.fetched += 1;
      if (standIn.keys === 'nonsense') return answer(200, 'nonsense');
      if (standIn.keys === 'away') return answer(503, {});
      const isPool = standIn.keys === 'there' && request.url === `/${POOL_ID}/.well-known/jwks.json`;
      return isPool ? answer(200, { keys: [jwk] }) : answer(404, { message: 'User pool does not exist.' });
    }
    void bodyOf(request).then(async (body) => {
      const action = String(request.headers['x-amz-target']).split('.')[1] ?? '';
      standIn.requests.push({ action, body, isSigned: request.headers.authorization !== undefined });
      const failure = standIn.failures.get(action)?.shift();
      if (failure === 'hang') return;
      if (failure === 'break') return answer(500, { __type: 'InternalErrorException', message: 'broken' });
      if (failure) return answer(400, { __type: failure.type, message: 'no' });
      try {
        const perform = ACTIONS[action];
        if (!perform) throw new CognitoError('UnknownOperationException', 'unknown');
        answer(200, await perform(state, body));
      } catch (error) {
        if (!(error instanceof CognitoError)) throw error;
        response.setHeader('x-amzn-errortype', `${error.name}:`);
        answer(400, { __type: error.name, message: error.message });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const standIn: CognitoStandIn = {
    // A listening server has a port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    users: state.users,
    codes: state.codes,
    state,
    failures: new Map(),
    fetched: 0,
    keys: 'there',
    token: (claims = {}, flaws = {}) =>
      sign({ token_use: 'access', client_id: CLIENT_ID, origin_jti: randomUUID(), sub: randomUUID(), ...claims }, flaws),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return standIn;
}

/** Sets the CORS headers that Cognito sends. */
function openToBrowsers(response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-methods', 'POST');
  response.setHeader(
    'access-control-allow-headers',
    'amz-sdk-invocation-id,amz-sdk-request,cache-control,content-type,x-amz-target,x-amz-user-agent',
  );
  response.setHeader('access-control-expose-headers', 'x-amzn-requestid,x-amzn-errortype,x-amzn-errormessage,date');
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}
