import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail server that stores the mails it receives, or refuses them as scripted. */
export interface TestSmtp {
  readonly url: string;
  readonly received: ReceivedMail[];
  /** The number of attempted deliveries. */
  readonly tries: number;
  stop(): Promise<void>;
}

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly mail: Email;
}

interface Script {
  /** Returns the refusal of a recipient at each attempt, from 1; undefined accepts it. */
  readonly refuse?: (attempt: number) => SmtpRefusal | undefined;
  /** Returns how long the server waits before it accepts each mail (ms). */
  readonly linger?: () => number;
  /** Uses TLS with an untrusted certificate. */
  readonly secure?: boolean;
}

interface SmtpRefusal {
  readonly code: number;
  readonly text: string;
}

export async function openTestSmtp({ refuse, linger = () => 0, secure = false }: Script = {}): Promise<TestSmtp> {
  const received: ReceivedMail[] = [];
  let tries = 0;
  const server = new SMTPServer({
    authOptional: true,
    secure,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onRcptTo(_address, _session, done) {
      tries += 1;
      const refusal = refuse?.(tries);
      done(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks);
        PostalMime.parse(raw)
          .then((mail) => {
            const { mailFrom, rcptTo } = envelope;
            received.push({
              from: mailFrom ? mailFrom.address : '',
              to: rcptTo.map(({ address }) => address),
              raw: raw.toString('utf8'),
              mail,
            });
            setTimeout(done, linger());
          })
          .catch(done);
      });
    },
  });
  // Tests include clients that disconnect.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening server has a port.
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `${secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    received,
    get tries() {
      return tries;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
