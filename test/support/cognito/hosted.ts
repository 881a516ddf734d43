import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSigned } from '../certificate.ts';
import { CLIENT_ID, checkPassword, openFamily, tokensOf } from './actions.ts';
import type { CognitoStandIn } from './cognito.ts';

/** Stands in for a pool's hosted login, over TLS, because browsers and Amplify require it. */
export interface HostedStandIn {
  /** The value of COGNITO_DOMAIN. */
  readonly domain: string;
  /** The received requests, as `GET /path`. */
  readonly visits: string[];
  /** Returns a code, tokens in the address, or a code that has already expired. */
  answers: 'code' | 'token' | 'expired code';
  stop(): Promise<void>;
}

interface Grant {
  readonly sub: string;
  readonly redirectUri: string;
  readonly challenge: string;
}

interface HostedOptions {
  readonly cognito: CognitoStandIn;
  /** The callback addresses allowed for the pool's client. */
  readonly callbacks: readonly string[];
}

export async function openHostedLogin({ cognito, callbacks }: HostedOptions): Promise<HostedStandIn> {
  const { state } = cognito;
  const grants = new Map<string, Grant>();
  /** The subs of signed-in people, by cookie. */
  const visitors = new Map<string, string>();
  const server = createServer(selfSigned('127.0.0.1'), (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', `https://${hosted.domain}`);
    const route = `${request.method} ${pathname}`;
    hosted.visits.push(route);
    void (ROUTES[route] ?? notFound)({ request, response, query: searchParams });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hosted: HostedStandIn = {
    // A listening server has a port.
    domain: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    visits: [],
    answers: 'code',
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  interface HostedRequest {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    readonly query: URLSearchParams;
  }
  const ROUTES: Readonly<Record<string, (visit: HostedRequest) => unknown>> = {
    'GET /oauth2/authorize': ({ request, response, query }) => {
      const isRight =
        query.get('client_id') === CLIENT_ID &&
        callbacks.includes(query.get('redirect_uri') ?? '') &&
        query.get('response_type') === 'code' &&
        query.get('code_challenge_method') === 'S256' &&
        query.get('scope')?.split(' ').includes('aws.cognito.signin.user.admin');
      if (!isRight) return page(response, 400, 'Something went wrong: invalid_request');
      const sub = visitors.get(cookieOf(request));
      return sub === undefined ? redirect(response, `/login?${query}`) : sendBack(response, query, sub);
    },
    'GET /login': ({ response, query }) =>
      page(
        response,
        200,
        `<form method="post" action="/login?${query.toString().replaceAll('&', '&amp;')}">
          <label>Email <input name="username"></label> <label>Password <input name="password" type="password"></label>
          <button name="what" value="in">Sign in</button> <button name="what" value="refuse">Refuse</button>
        </form>`,
      ),
    'POST /login': async ({ request, response, query }) => {
      const form = await formOf(request);
      if (form.get('what') === 'refuse') {
        const refusal = { error: 'access_denied', error_description: 'Your company did not let you in', state: query.get('state') ?? '' };
        return redirect(response, `${query.get('redirect_uri')}?${new URLSearchParams(refusal)}`);
      }
      const user = checkPassword(state, { email: form.get('username') ?? '', password: form.get('password') ?? '' });
      const cookie = randomBytes(16).toString('hex');
      visitors.set(cookie, user.sub);
      response.setHeader('set-cookie', `cognito=${cookie}; Path=/; HttpOnly; Secure; SameSite=Lax`);
      return sendBack(response, query, user.sub);
    },
    'OPTIONS /oauth2/token': ({ response }) => {
      openToBrowsers(response);
      response.writeHead(200).end();
    },
    'POST /oauth2/token': async ({ request, response }) => {
      openToBrowsers(response);
      const form = await formOf(request);
      const code = form.get('code') ?? '';
      const grant = grants.get(code);
      grants.delete(code);
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      const isRight =
        form.get('grant_type') === 'authorization_code' &&
        form.get('client_id') === CLIENT_ID &&
        form.get('redirect_uri') === grant?.redirectUri &&
        challenge === grant?.challenge;
      const answer = grant && isRight ? tokensFor(await issue(grant.sub)) : { error: 'invalid_grant' };
      response.writeHead('error' in answer ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    },
    'GET /logout': ({ request, response, query }) => {
      const isRight = query.get('client_id') === CLIENT_ID && callbacks.includes(query.get('logout_uri') ?? '');
      if (!isRight) return page(response, 400, 'Something went wrong: invalid_request');
      visitors.delete(cookieOf(request));
      return redirect(response, query.get('logout_uri') ?? '');
    },
  };
  return hosted;

  function issue(sub: string) {
    const user = [...state.users.values()].find((each) => each.sub === sub);
    if (!user) throw new Error('The signed-in user no longer exists');
    return tokensOf(state, openFamily(state, user));
  }

  /** Redirects to the product with a code or tokens. */
  async function sendBack(response: ServerResponse, query: URLSearchParams, sub: string): Promise<void> {
    const [redirectUri, back] = [query.get('redirect_uri') ?? '', query.get('state') ?? ''];
    if (hosted.answers === 'token') {
      const { refresh_token: _never, ...tokens } = tokensFor(await issue(sub));
      return redirect(response, `${redirectUri}#${new URLSearchParams({ ...tokens, state: back })}`);
    }
    const code = randomBytes(16).toString('hex');
    if (hosted.answers === 'code') grants.set(code, { sub, redirectUri, challenge: query.get('code_challenge') ?? '' });
    return redirect(response, `${redirectUri}?${new URLSearchParams({ code, state: back })}`);
  }
}

const tokensFor = ({ AccessToken, IdToken, RefreshToken }: Awaited<ReturnType<typeof tokensOf>>) => ({
  id_token: IdToken,
  access_token: AccessToken,
  refresh_token: RefreshToken,
  expires_in: '3600',
  token_type: 'Bearer',
});

const notFound = ({ response }: { response: ServerResponse }): void => page(response, 404, 'Nothing here');

function page(response: ServerResponse, status: number, body: string): void {
  response
    .writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><title>Sign in</title><link rel="icon" href="data:,">${body}`);
}

const redirect = (response: ServerResponse, to: string): void => void response.writeHead(302, { location: to }).end();

function openToBrowsers(response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-methods', 'POST');
  response.setHeader('access-control-allow-headers', 'content-type,x-amz-user-agent');
}

const cookieOf = ({ headers }: IncomingMessage): string => /cognito=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? '';

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
