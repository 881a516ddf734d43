import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/* A push service that decrypts messages as browsers do (RFC 8188, 8291, 8292). */

/** A push message for a browser, decrypted. */
export interface ReceivedPush {
  readonly headers: IncomingHttpHeaders;
  readonly shown: { readonly title: string; readonly body: string; readonly link: string; readonly tag: string };
  /** The sender's VAPID claims; undefined when the signature doesn't match its key. */
  readonly sender: { readonly aud: string; readonly sub: string; readonly exp: number } | undefined;
  readonly senderKey: string;
}

export interface SubscribedBrowser {
  readonly subscription: { readonly endpoint: string; readonly keys: { readonly p256dh: string; readonly auth: string } };
  readonly received: ReceivedPush[];
  /** Sets the response from now on: a status, or none at all. */
  answer(status: number | 'never', headers?: Record<string, string>): void;
  /** Responds to every request left unanswered. */
  release(): void;
}

export interface TestPushService {
  browser(): SubscribedBrowser;
  /** Returns the highest number of concurrent pushes. */
  mostConcurrent(): number;
  stop(): Promise<void>;
}

export async function openPushService(): Promise<TestPushService> {
  const handlers = new Map<string, (body: Buffer, headers: IncomingHttpHeaders, answer: ServerResponse) => void>();
  let [concurrent, most] = [0, 0];
  const server = http.createServer(async (request, answer) => {
    concurrent += 1;
    most = Math.max(most, concurrent);
    answer.once('close', () => {
      concurrent -= 1;
    });
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    handlers.get(request.url ?? '')?.(Buffer.concat(parts), request.headers, answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    browser() {
      const [ecdh, auth, path] = [createECDH('prime256v1'), randomBytes(16), `/send/${randomBytes(12).toString('base64url')}`];
      ecdh.generateKeys();
      const [received, unanswered]: [ReceivedPush[], ServerResponse[]] = [[], []];
      let response: { status: number | 'never'; headers: Record<string, string> } = { status: 201, headers: {} };
      handlers.set(path, (body, headers, answer) => {
        received.push({ headers, shown: JSON.parse(decrypt(body, { ecdh, auth }).toString()), ...senderOf(headers) });
        if (response.status === 'never') unanswered.push(answer);
        else answer.writeHead(response.status, response.headers).end();
      });
      return {
        subscription: {
          endpoint: `${site}${path}`,
          keys: { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') },
        },
        received,
        answer(status, headers = {}) {
          response = { status, headers };
        },
        release() {
          for (const answer of unanswered.splice(0)) answer.writeHead(201).end();
        },
      };
    },
    mostConcurrent: () => most,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface BrowserKeys {
  readonly ecdh: ReturnType<typeof createECDH>;
  readonly auth: Buffer;
}

function decrypt(body: Buffer, { ecdh, auth }: BrowserKeys): Buffer {
  const salt = body.subarray(0, 16);
  const senderKey = body.subarray(21, 21 + (body[20] ?? 0));
  const sealed = body.subarray(21 + senderKey.length);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), senderKey]);
  const shared = derive(ecdh.computeSecret(senderKey), { salt: auth, info, length: 32 });
  const key = derive(shared, { salt, info: Buffer.from('Content-Encoding: aes128gcm\0'), length: 16 });
  const nonce = derive(shared, { salt, info: Buffer.from('Content-Encoding: nonce\0'), length: 12 });
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  // The last byte 2 ends the text, and padding follows.
  return padded.subarray(0, padded.lastIndexOf(2));
}

const derive = (from: Buffer, { salt, info, length }: { salt: Buffer; info: Buffer; length: number }): Buffer =>
  Buffer.from(hkdfSync('sha256', from, salt, info, length));

function senderOf({ authorization = '' }: IncomingHttpHeaders): Pick<ReceivedPush, 'sender' | 'senderKey'> {
  const [, head = '', claims = '', signature = '', senderKey = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const point = Buffer.from(senderKey, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  return { sender: isSigned ? JSON.parse(Buffer.from(claims, 'base64url').toString()) : undefined, senderKey };
}
