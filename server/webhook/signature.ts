import { createHmac } from 'node:crypto';
import { SECRET_PREFIX } from '#contract/webhook/webhook.ts';

interface SignedMessage {
  /** The same for every attempt. */
  readonly id: string;
  /** When this attempt is made. */
  readonly at: Date;
  readonly body: string;
}

/** Returns the headers of Standard Webhooks, with a signature for each secret (docs/protocols.md#standard-webhooks). */
export function signedHeaders({ id, at, body }: SignedMessage, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
