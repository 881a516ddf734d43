import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail server that keeps the mails it receives, or refuses them as the test says. */
export interface TestSmtp {
  readonly url: string;
  readonly received: ReceivedMail[];
  /** How many deliveries were attempted. */
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
  /** The answer to a recipient at each try, from 1; undefined takes it. */
  readonly refuse?: (attempt: number) => SmtpRefusal | undefined;
  /** How long the server waits before it accepts a mail (ms); asked at each. */
  readonly linger?: () => number;
  /** Whether it speaks TLS, with a certificate that nobody trusts. */
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
      const no = refuse?.(tries);
      done(no && Object.assign(new Error(no.text), { responseCode: no.code }));
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
  // Clients that give up are part of the tests.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening server has one.
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
