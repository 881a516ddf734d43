import { Agent, request } from 'node:http';

/** A response; the status is 0 if there was none. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

interface AskOptions {
  readonly path?: string;
  readonly method?: 'GET' | 'POST';
  readonly token?: string | undefined;
  /** The client address that the proxy in front would send. */
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Reuses connections. Without it, each request opens its own. */
  readonly agent?: Agent | undefined;
  /** Timeout (ms). */
  readonly patience?: number;
}

const PATIENCE = 15_000;

export const keepConnections = (): Agent => new Agent({ keepAlive: true });

/** Calls the data API, or another path. */
export function ask(address: string, body: object | string | Buffer, options: AskOptions = {}): Promise<HttpAnswer> {
  const { path = '/api/data', method = 'POST', token, from, headers, agent, patience = PATIENCE } = options;
  return new Promise((resolve) => {
    const sent = request(`${address}${path}`, {
      method,
      agent: agent ?? false,
      signal: AbortSignal.timeout(patience),
      headers: {
        ...(method === 'POST' && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(from !== undefined && { 'x-forwarded-for': from }),
        ...headers,
      },
    });
    const fail = () => resolve({ status: 0, text: '' });
    sent.on('error', fail);
    sent.on('response', (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', fail);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
    });
    sent.end(method === 'GET' ? undefined : typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
}

/** Calls the user pool's sign-in. */
export function askToSignIn(
  address: string,
  { clientId, email, password }: Readonly<Record<'clientId' | 'email' | 'password', string>>,
  options: AskOptions = {},
): Promise<HttpAnswer> {
  const body = { AuthFlow: 'USER_PASSWORD_AUTH', ClientId: clientId, AuthParameters: { USERNAME: email, PASSWORD: password } };
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth' };
  return ask(address, body, { ...options, path: '/api/identity', headers });
}

/** Returns a different IPv4 address for each number; `group` separates purposes. */
export const addressOf = (group: number, count: number): string => `${group}.${(count >> 14) % 256}.${(count >> 6) % 256}.${count % 64}`;

/** Runs concurrent workers, each repeating `work`, until a time (as in `performance.now()`). */
export async function keepAsking(workers: number, until: number, work: (count: number) => Promise<void>): Promise<void> {
  let count = 0;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (performance.now() < until) {
        count += 1;
        await work(count);
      }
    }),
  );
}

/** Returns the number of each status, such as `200: 512, 503: 4`. */
export const statusesOf = (counts: ReadonlyMap<number, number>): string =>
  [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status === 0 ? 'no response' : status}: ${count.toLocaleString('en-US')}`)
    .join(', ');

export function countStatus(counts: Map<number, number>, { status }: HttpAnswer): void {
  counts.set(status, (counts.get(status) ?? 0) + 1);
}
