import { createTransport } from 'nodemailer';
import { type Mailer, MailNotSent, MailRefused, type MailSender, toMailOptions } from './message.ts';
import { isAddressUnknown } from './status-codes.ts';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the start; otherwise STARTTLS is used if the server offers it. */
  readonly secure: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
  /** Sends nothing, above all no password, over an unencrypted connection. */
  readonly requireTLS: boolean;
}

/** Timeouts in ms. Only `total` limits a server that sends a byte now and then. */
export interface SmtpTiming {
  readonly connection: number;
  readonly greeting: number;
  readonly socket: number;
  readonly total: number;
}

/** How long a mail server may take (ms), and connections to it. @limit mail-server */
const TIMING: SmtpTiming = { connection: 10_000, greeting: 10_000, socket: 20_000, total: 60_000 };
const CONNECTIONS = 3;

interface SmtpOptions {
  readonly from: MailSender;
  readonly server: SmtpServer;
  readonly timing?: Partial<SmtpTiming> | undefined;
}

export function openSmtp({ from, server, timing }: SmtpOptions): Mailer {
  const { connection, greeting, socket, total } = { ...TIMING, ...timing };
  const { auth, ...address } = server;
  const transport = createTransport({
    ...address,
    ...(auth && { auth }),
    pool: true,
    maxConnections: CONNECTIONS,
    // The job retries.
    maxRequeues: 0,
    connectionTimeout: connection,
    dnsTimeout: connection,
    greetingTimeout: greeting,
    socketTimeout: socket,
    idleTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // The sender of each message gets the error as well. Without a listener, Node would end the process.
  transport.on('error', () => undefined);
  return {
    async send(message, { signal } = {}) {
      const limit = AbortSignal.timeout(total);
      try {
        await transport.sendMail({ ...toMailOptions(message, from), signal: signal ? AbortSignal.any([limit, signal]) : limit });
      } catch (error) {
        throw limit.aborted ? new MailNotSent(TOO_LATE) : withoutServerText(error);
      }
    },
    async reach() {
      try {
        await transport.verify();
      } catch (error) {
        throw withoutServerText(error);
      }
    },
    stop: () => transport.close(),
  };
}

/** Returns the error without the mail server's text, which may quote addresses. */
function withoutServerText(error: unknown): MailNotSent {
  if (error instanceof MailRefused) return error;
  const failure = error as SmtpFailure;
  const { command = '', responseCode, response = '' } = failure;
  if (responseCode === undefined) return new MailNotSent(connectionProblem(failure));
  const [, detail = ''] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  const code = [responseCode, detail].filter(Boolean).join(' ');
  return responseCode >= 500 && ABOUT_THE_MAIL.test(command)
    ? new MailRefused(`The mail server refused the mail (${code})`, {
        reply: response,
        isAddressUnknown: !command.startsWith('MAIL FROM') && isAddressUnknown(detail),
      })
    : new MailNotSent(`The mail server did not take the mail (${code})`, { reply: response });
}

const TOO_LATE = 'The mail server did not answer in time';

function connectionProblem({ name = '', code = '', originalCode = code, message = '' }: SmtpFailure): string {
  if (code === 'ETIMEDOUT') return TOO_LATE;
  if (/certificate/i.test(message)) return `The mail server’s certificate is not trusted (${originalCode})`;
  return `The mail server could not be reached (${originalCode || name})`;
}

interface SmtpFailure {
  readonly name?: string;
  readonly message?: string;
  readonly code?: string;
  /** The code of the system error that the library replaced. */
  readonly originalCode?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** Only replies to these commands are about the mail; the operator can fix a refused connection or password. */
const ABOUT_THE_MAIL = /^(?:MAIL FROM|RCPT TO|DATA)/;
