import { createHmac } from 'node:crypto';
import { SECRET_PREFIX } from '#contract/webhook/webhook.ts';

interface SignedMessage {
  /** The same for every try. */
  readonly id: string;
  /** When this try is made. */
  readonly at: Date;
  readonly body: string;
}

/** The headers of Standard Webhooks, with a signature by each secret (docs/protocols.md#standard-webhooks). */
export function signedHeaders({ id, at, body }: SignedMessage, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
