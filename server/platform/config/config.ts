import path from 'node:path';
import { closest, distance } from 'fastest-levenshtein';
import * as v from 'valibot';
import { FREQUENCIES, OFFERED_PLANS, type PaymentFrequency, type Plan, priceName } from '#contract/billing/billing.ts';
import { type PublicConfig, REGISTRATIONS } from '#contract/identity/identity.ts';
import { DatabaseUrlError, readServers } from '../database/url.ts';
import { isAddress, type MailSender } from '../mailer/message.ts';
import type { SmtpServer } from '../mailer/smtp.ts';

/** The product's settings. Only this file reads `process.env`. */
export interface Config {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Origin of links, QR codes and tokens, without a trailing slash. */
  readonly publicUrl: string;
  /** Absolute path of the folder with the embedded database, the outbox and keys. */
  readonly dataDir: string;
  /** Absolute path of the build's output: pages, and the programs that render forms and mails. */
  readonly builtDir: string;
  /** Encrypts the keys that sign tokens, and queued mails. Undefined: it is in a file in `dataDir`. */
  readonly identitySecret: string | undefined;
  /** The Amazon Cognito user pool that people sign in to. Undefined: the product's own. */
  readonly cognito: CognitoConfig | undefined;
  /** In lower case. These people are operators once they sign in with a second factor. */
  readonly operatorEmails: readonly string[];
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  readonly database: { readonly url: string; readonly appUrl: string | undefined } | undefined;
  readonly roles: readonly ('web' | 'worker')[];
  /** Undefined: `demo` when the database is new and embedded, the user pool is the product's own, and this is not production. */
  readonly seed: 'demo' | 'none' | undefined;
  /** Number of proxies in front that add to `X-Forwarded-For`; with 0 the header is ignored. */
  readonly trustedProxies: number;
  readonly logLevel: string;
  /** Gives access to `/metrics` from other machines. */
  readonly metricsToken: string | undefined;
  /** Starts even if saved data may not survive a power cut. */
  readonly allowVolatile: boolean;
  readonly website: string;
  /** Whether anyone can sign up, only invited businesses, or no one. */
  readonly registration: PublicConfig['registration'];
  /** Whether browsers must use https from now on for this host, and for its subdomains. */
  readonly hsts: 'host' | 'subdomains' | 'off';
  /** The payment provider. Undefined: `sandbox` with the sample business, otherwise `none` (docs/rules.md#billing). */
  readonly billing: BillingConfig | undefined;
  /** The PostHog project for usage of the team's pages. Undefined: none. */
  readonly analytics: { readonly key: string; readonly host: string } | undefined;
  /** The installation's own legal pages, or the details for the built-in ones. */
  readonly legal: LegalConfig;
  /** User-entered addresses that the product may connect to, besides port 443 on the public internet. */
  readonly outbound: {
    /** Whether it connects to private networks and this machine, at any port and without TLS. */
    readonly allowPrivate: boolean;
    /** Ports besides 443. */
    readonly ports: readonly number[];
  };
  readonly mail: {
    readonly from: MailSender;
    /** The email or web address for help, shown in mails. */
    readonly support: string | undefined;
    /** Undefined: emails are written to a folder of `dataDir`. */
    readonly server: SmtpServer | undefined;
    /** Gives a mail server access to `/mail/returns`. Undefined: there is no such route. */
    readonly returnsKey: string | undefined;
  };
}

/** No payments, simulated payments through the Paddle stand-in, or Paddle. */
type BillingConfig = { readonly kind: 'none' } | { readonly kind: 'sandbox' } | ({ readonly kind: 'paddle' } & PaddleConfig);

export interface PaddleConfig {
  readonly apiKey: string;
  readonly world: 'sandbox' | 'production';
  /** The same, or the address of the stand-in. */
  readonly environment: string;
  /** Browsers start Paddle.js with either of these. */
  readonly client: { readonly token: string } | { readonly seller: number };
  /** More than one during a change of secrets. Empty: events are only polled. */
  readonly webhookSecrets: readonly string[];
  readonly prices: readonly PriceConfig[];
}

/** A price that is sold, with its id at Paddle. */
interface PriceConfig {
  readonly plan: Plan;
  readonly paymentFrequency: PaymentFrequency;
  readonly hasTrial: boolean;
  readonly id: string;
}

interface LegalConfig {
  readonly termsUrl: string | undefined;
  readonly privacyUrl: string | undefined;
  /** Who runs the installation, and their email address. */
  readonly name: string | undefined;
  readonly email: string | undefined;
}

export interface CognitoConfig {
  readonly userPoolId: string;
  readonly clientId: string;
  /** The address that server and browsers use instead of AWS. */
  readonly endpoint: string | undefined;
  /** The host of the hosted login, for single sign-on. Undefined: people sign in on the product's own page only. */
  readonly domain: string | undefined;
}

/** An invalid setting, which ends the start with its message. */
export class ConfigError extends Error {}

const flag = v.pipe(
  v.picklist(['0', '1', 'true', 'false']),
  v.transform((value) => value === '1' || value === 'true'),
);
const matching = (pattern: RegExp, isValid: (value: string) => boolean = () => true) =>
  v.pipe(v.string(), v.regex(pattern), v.check(isValid));
const passing = (isValid: (value: string) => boolean) => v.pipe(v.string(), v.check(isValid));
const httpsUrl = v.pipe(v.string(), v.url(), v.startsWith('https://'));
const databaseUrl = matching(/^postgres(?:ql)?:\/\//, isReadable);
const DATABASE_URL_MEANING =
  'postgres://user:password@host:5432/database, with #, /, ? and @ of the password as %23, %2F, %3F and %40; or with a primary and its standbys, postgres://user:password@a:5432,b:5432/database?target_session_attrs=read-write';

/** The schema of every setting, and its description in error messages. */
const SETTINGS = {
  NODE_ENV: [v.string(), 'production, or anything else'],
  HOST: [v.string(), 'an address to listen on, such as 127.0.0.1'],
  PORT: [matching(/^\d{1,5}$/, (port) => Number(port) <= 65_535), 'a port from 0 to 65535'],
  PUBLIC_URL: [
    matching(/^https?:\/\/[^/?#]+\/?$/i, URL.canParse),
    'the address that people use, without a path, such as https://feedback.example.com',
  ],
  DATA_DIR: [v.string(), 'a folder'],
  BUILT_DIR: [v.string(), 'the folder of a build'],
  DATABASE_URL: [databaseUrl, DATABASE_URL_MEANING],
  DATABASE_APP_URL: [databaseUrl, DATABASE_URL_MEANING],
  IDENTITY_SECRET: [v.pipe(v.string(), v.minLength(32)), 'at least 32 characters'],
  IDENTITY: [v.picklist(['embedded', 'cognito']), 'embedded or cognito'],
  COGNITO_USER_POOL_ID: [matching(/^[a-z]{2}(?:-[a-z]+)+-\d_[A-Za-z0-9]{1,45}$/), 'the pool’s id, such as us-west-2_a1B2c3D4e'],
  COGNITO_CLIENT_ID: [matching(/^[\w+]{1,128}$/), 'the id of the pool’s app client, which has no secret'],
  COGNITO_ENDPOINT: [matching(/^https?:\/\//, URL.canParse), 'the address to use instead of AWS'],
  COGNITO_DOMAIN: [
    matching(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i),
    'the host of the pool’s hosted login, without https://, such as auth.example.com',
  ],
  OPERATOR_EMAILS: [passing(isListOfEmails), 'email addresses, separated by commas'],
  HSTS: [v.picklist(['host', 'subdomains', 'off']), 'host, subdomains or off'],
  REGISTRATION: [v.picklist(REGISTRATIONS), 'open, invitation or closed'],
  BILLING: [v.picklist(['none', 'sandbox', 'paddle']), 'none, sandbox or paddle'],
  ALLOW_SANDBOX_BILLING: [flag, 'true or false'],
  PADDLE_ENV: [v.picklist(['sandbox', 'production']), 'sandbox or production'],
  PADDLE_API_URL: [matching(/^https?:\/\//, URL.canParse), 'the address of a stand-in for Paddle'],
  PADDLE_API_KEY: [matching(/^[\w-]{8,200}$/), 'a key from Paddle > Developer tools > Authentication'],
  PADDLE_CLIENT_TOKEN: [matching(/^(?:test|live)_\w{4,100}$/), 'a client-side token, such as live_…'],
  PADDLE_SELLER_ID: [matching(/^\d{1,12}$/), 'the seller’s number'],
  PADDLE_WEBHOOK_SECRETS: [
    v.union([v.literal('off'), matching(/^[^\s,]{16,200}(?:,[^\s,]{16,200})*$/)]),
    'the secret of the notification destination, such as pdl_ntfset_…, or two, separated by a comma; or off',
  ],
  PADDLE_PRICES: [passing(isListOfPrices), 'the output of npm run paddle-catalog, such as Pro/Monthly=pri_…,Pro/Monthly/trial=pri_…'],
  ROLES: [matching(/^(?:web|worker)(?:\s*,\s*(?:web|worker))*$/), 'web, worker, or web,worker'],
  SEED: [v.picklist(['demo', 'none']), 'demo or none'],
  TRUSTED_PROXIES: [matching(/^\d$/), 'the number of proxies in front, 0 to 9'],
  LOG_LEVEL: [
    v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'fatal, error, warn, info, debug, trace or silent',
  ],
  METRICS_TOKEN: [v.pipe(v.string(), v.minLength(16)), 'at least 16 characters'],
  ALLOW_VOLATILE: [flag, '1 or 0'],
  WEBSITE: [httpsUrl, 'the https address of your website'],
  ANALYTICS_KEY: [matching(/^[\w-]{1,200}$/), 'the key of a PostHog project, such as phc_…'],
  ANALYTICS_HOST: [
    matching(/^https?:\/\/[^/?#\s;,]+\/?$/i, URL.canParse),
    'the address of PostHog’s event endpoint, without a path, such as https://eu.i.posthog.com',
  ],
  TERMS_URL: [httpsUrl, 'the https address of your terms of service'],
  PRIVACY_URL: [httpsUrl, 'the https address of your privacy policy'],
  LEGAL_NAME: [v.pipe(v.string(), v.maxLength(100)), 'the name of the person or company running this installation, up to 100 characters'],
  LEGAL_EMAIL: [passing(isAddress), 'an email address for questions about personal data'],
  OUTBOUND_ALLOW_PRIVATE: [flag, 'true or false'],
  OUTBOUND_PORTS: [matching(/^\d{1,5}(?:\s*,\s*\d{1,5})*$/, areAllPorts), 'ports from 1 to 65535, separated by commas, such as 8443'],
  SMTP_URL: [
    matching(/^smtps?:\/\/[^/?#\s]+\/?$/i, (url) => serverOf(url) !== undefined),
    'smtp://user:password@host:587 or smtps://user:password@host:465',
  ],
  MAIL_FROM: [passing((from) => senderOf(from) !== undefined), 'an address, alone or with a name: Afterword <no-reply@example.com>'],
  MAIL_REPLY_TO: [passing(isAddress), 'an email address for replies to mails'],
  MAIL_RETURNS_KEY: [matching(/^[!-~]{32,}$/), 'at least 32 characters, without spaces'],
  SUPPORT_CONTACT: [v.union([passing(isAddress), httpsUrl]), 'an email address, or the https address of a help page'],
} as const satisfies Record<string, readonly [v.GenericSchema, string]>;

type Settings = { [Name in keyof typeof SETTINGS]: v.InferOutput<(typeof SETTINGS)[Name][0]> | undefined };

/** Returns the settings. Throws a `ConfigError` that names the first invalid one and the expected value. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const settings = check(env);
  const port = Number(settings.PORT ?? 8080);
  const publicUrl = (settings.PUBLIC_URL ?? `http://localhost:${port}`).replace(/\/$/, '');
  return {
    production: settings.NODE_ENV === 'production',
    host: settings.HOST ?? '127.0.0.1',
    port,
    publicUrl,
    dataDir: path.resolve(settings.DATA_DIR ?? 'data'),
    builtDir: path.resolve(settings.BUILT_DIR ?? path.join(import.meta.dirname, '../../../dist')),
    database: settings.DATABASE_URL ? { url: settings.DATABASE_URL, appUrl: settings.DATABASE_APP_URL } : undefined,
    identitySecret: settings.IDENTITY_SECRET,
    cognito: cognitoOf(settings),
    operatorEmails: emailsOf(settings.OPERATOR_EMAILS ?? ''),
    roles: rolesOf(settings.ROLES ?? 'web,worker'),
    seed: settings.SEED,
    trustedProxies: Number(settings.TRUSTED_PROXIES ?? 0),
    logLevel: settings.LOG_LEVEL ?? 'info',
    metricsToken: settings.METRICS_TOKEN,
    allowVolatile: settings.ALLOW_VOLATILE ?? false,
    website: settings.WEBSITE ?? '/about',
    registration: settings.REGISTRATION ?? 'open',
    hsts: settings.HSTS ?? 'host',
    billing: billingOf(settings),
    analytics: analyticsOf(settings),
    legal: {
      termsUrl: settings.TERMS_URL,
      privacyUrl: settings.PRIVACY_URL,
      name: settings.LEGAL_NAME,
      email: settings.LEGAL_EMAIL,
    },
    outbound: { allowPrivate: settings.OUTBOUND_ALLOW_PRIVATE ?? false, ports: portsOf(settings.OUTBOUND_PORTS ?? '') },
    mail: {
      from: {
        ...(senderOf(settings.MAIL_FROM ?? '') ?? { name: 'Afterword', address: `no-reply@${mailDomain(publicUrl)}` }),
        replyTo: settings.MAIL_REPLY_TO,
      },
      support: settings.SUPPORT_CONTACT,
      server: serverOf(settings.SMTP_URL ?? ''),
      returnsKey: settings.MAIL_RETURNS_KEY,
    },
  };
}

function check(env: NodeJS.ProcessEnv): Settings {
  const entries = Object.entries(SETTINGS).map(([name, [schema, meaning]]) => {
    // An empty variable counts as unset, such as one in a `.env` file with nothing after the `=`.
    const result = v.safeParse(v.optional(schema), env[name] || undefined);
    if (!result.success) throw new ConfigError(`${name} is "${masked(name, env[name])}"; it should be ${meaning}.`);
    return [name, result.output];
  });
  // Each entry was parsed by the schema of its own name.
  return Object.fromEntries(entries) as Settings;
}

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(SETTINGS);
/** Other programs' variables that look like a misspelled setting. */
const OTHERS = new Set(['HOME', 'HOSTNAME', 'POST', 'SHELL', 'USER']);

/** Returns a message for each variable that is spelled almost like a setting. */
export function misspelledSettings(env: NodeJS.ProcessEnv = process.env): string[] {
  return Object.keys(env).flatMap((name) => {
    if (SETTING_NAMES.includes(name) || OTHERS.has(name)) return [];
    const nearest = closest(name.toUpperCase(), SETTING_NAMES);
    const isNear = distance(name.toUpperCase(), nearest) <= (nearest.length < 8 ? 1 : 2);
    return isNear ? [`${name} isn't a setting and has no effect. Did you mean ${nearest}?`] : [];
  });
}

/** Hides values that contain secrets, because messages end up in logs. */
const masked = (name: string, value: string | undefined): string =>
  /^(?:DATABASE|SMTP)_|TOKEN|SECRET|_KEY$/.test(name) ? '…' : (value ?? '');

function analyticsOf({ ANALYTICS_KEY: key, ANALYTICS_HOST: host = 'https://us.i.posthog.com' }: Settings): Config['analytics'] {
  return key === undefined ? undefined : { key, host: new URL(host).origin };
}

function billingOf(settings: Settings): Config['billing'] {
  const kind = settings.BILLING;
  if (kind === 'sandbox') return sandboxOf(settings);
  if (kind === 'paddle') return { kind, ...paddleOf(settings) };
  return kind === 'none' ? { kind } : undefined;
}

function sandboxOf({ NODE_ENV: mode, ALLOW_SANDBOX_BILLING: isAllowed, ROLES: roles }: Settings): BillingConfig {
  if (mode === 'production' && !isAllowed)
    throw new ConfigError('BILLING is "sandbox", which simulates payments; in production it needs ALLOW_SANDBOX_BILLING=true.');
  if (roles !== undefined && rolesOf(roles).length < 2)
    throw new ConfigError('BILLING is "sandbox", which needs web and worker in one process; ROLES should be web,worker.');
  return { kind: 'sandbox' };
}

/** Returns the Paddle key, whatever `BILLING` is. Throws a `ConfigError` if it's missing or of the other environment. */
export function readPaddleKey(env: NodeJS.ProcessEnv = process.env): Pick<PaddleConfig, 'apiKey' | 'environment'> {
  const { PADDLE_API_KEY: apiKey, PADDLE_API_URL: address, PADDLE_ENV: world = 'production' } = check(env);
  if (apiKey === undefined) throw new ConfigError('PADDLE_API_KEY is not set; it gives access to your Paddle account.');
  if (apiKey.includes('_sdbx') !== (world === 'sandbox'))
    throw new ConfigError(`PADDLE_API_KEY is not of ${world}, which PADDLE_ENV sets.`);
  return { apiKey, environment: address ?? world };
}

/** Returns the Paddle settings. Throws a `ConfigError` that names everything missing or contradictory. */
function paddleOf(settings: Settings): PaddleConfig {
  const { PADDLE_API_KEY: apiKey, PADDLE_CLIENT_TOKEN: token, PADDLE_SELLER_ID: seller, PADDLE_WEBHOOK_SECRETS: secrets } = settings;
  const world = settings.PADDLE_ENV ?? 'production';
  const prices = pricesOf(settings.PADDLE_PRICES ?? '');
  const client = token === undefined ? { seller: Number(seller) } : { token };
  const problems = [
    ...(apiKey === undefined ? ['PADDLE_API_KEY is not set'] : []),
    ...(token === undefined && seller === undefined ? ['PADDLE_CLIENT_TOKEN is not set'] : []),
    ...(token !== undefined && seller !== undefined
      ? ['PADDLE_CLIENT_TOKEN and PADDLE_SELLER_ID are both set; one of them is enough']
      : []),
    ...(secrets === undefined ? ['PADDLE_WEBHOOK_SECRETS is not set; use off if Paddle can’t reach this server'] : []),
    ...(apiKey !== undefined && apiKey.includes('_sdbx') !== (world === 'sandbox') ? [`PADDLE_API_KEY is not of ${world}`] : []),
    ...(token !== undefined && token.startsWith('test_') !== (world === 'sandbox') ? [`PADDLE_CLIENT_TOKEN is not of ${world}`] : []),
    ...missingPrices(prices).map((name) => `PADDLE_PRICES has no ${name}`),
  ];
  if (apiKey === undefined || problems.length > 0) throw new ConfigError(`BILLING is "paddle": ${problems.join('; ')}.`);
  const webhookSecrets = secrets === 'off' || secrets === undefined ? [] : secrets.split(',');
  return { apiKey, world, environment: settings.PADDLE_API_URL ?? world, client, webhookSecrets, prices };
}

const PRICE = /^(Essentials|Pro)\/(Monthly|Annual)(\/trial)?=(pri_[a-z\d]{26})$/;

function pricesOf(list: string): PriceConfig[] {
  const matches = list === '' ? [] : list.split(',').map((price) => PRICE.exec(price.trim()));
  return matches.flatMap((match) => {
    const [, plan, paymentFrequency, trial, id = ''] = match ?? [];
    // The pattern allows only the words of these types.
    return match ? [{ plan: plan as Plan, paymentFrequency: paymentFrequency as PaymentFrequency, hasTrial: trial !== undefined, id }] : [];
  });
}

function isListOfPrices(list: string): boolean {
  const prices = pricesOf(list);
  const ids = new Set(prices.map(({ id }) => id));
  return prices.length === list.split(',').length && ids.size === prices.length;
}

/** Returns the missing prices: every offered plan needs one with and one without a trial. */
const missingPrices = (prices: readonly PriceConfig[]): string[] => {
  const names = prices.map(priceName);
  const required = OFFERED_PLANS.flatMap((plan) =>
    FREQUENCIES.flatMap((paymentFrequency) => [false, true].map((hasTrial) => priceName({ plan, paymentFrequency, hasTrial }))),
  );
  return required.filter((name) => !names.includes(name));
};

function cognitoOf(settings: Settings): CognitoConfig | undefined {
  if (settings.IDENTITY !== 'cognito') return undefined;
  const { COGNITO_USER_POOL_ID: userPoolId, COGNITO_CLIENT_ID: clientId, COGNITO_ENDPOINT: endpoint, COGNITO_DOMAIN: domain } = settings;
  if (userPoolId === undefined) throw new ConfigError('COGNITO_USER_POOL_ID is not set; IDENTITY=cognito needs the pool’s id.');
  if (clientId === undefined)
    throw new ConfigError('COGNITO_CLIENT_ID is not set; IDENTITY=cognito needs the id of the pool’s app client.');
  if (settings.SEED === 'demo')
    throw new ConfigError('SEED is "demo"; with IDENTITY=cognito it should be none, or the sample people would be created in your pool.');
  return { userPoolId, clientId, endpoint, domain };
}

function isReadable(url: string): boolean {
  try {
    const { hash, hostname } = new URL(readServers(url)?.url ?? url);
    return hash === '' && (hostname !== '' || url.includes('host='));
  } catch (error) {
    if (error instanceof DatabaseUrlError || error instanceof URIError || error instanceof TypeError) return false;
    throw error;
  }
}

const emailsOf = (list: string): string[] =>
  list
    .split(',')
    .map((email) => email.trim().toLowerCase())
    .filter((email) => email !== '');

/** Checks operators' addresses, because a typo would lock an operator out. */
function isListOfEmails(list: string): boolean {
  return emailsOf(list).every((email) => /^[^\s@]+@[^\s@]+$/.test(email));
}

const portsOf = (list: string): number[] => (list === '' ? [] : list.split(',').map(Number));

function areAllPorts(list: string): boolean {
  return portsOf(list).every((port) => port >= 1 && port <= 65_535);
}

function rolesOf(list: string): Config['roles'] {
  // The pattern of ROLES allows only these two words.
  return [...new Set(list.split(',').map((role) => role.trim()))] as ('web' | 'worker')[];
}

/** Returns whether only this machine can reach the server. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** Parses `Afterword <no-reply@example.com>`, or an address alone. */
function senderOf(text: string): MailSender | undefined {
  const [, name = '', inBrackets] = /^\s*(?:"?([^"<>\p{Cc}]*?)"?\s*<([^<>]+)>)\s*$/u.exec(text) ?? [];
  const address = (inBrackets ?? text).trim();
  return isAddress(address) ? { name: name.trim(), address } : undefined;
}

/** Returns the host of `publicUrl`, or `localhost` if it's an IP address. */
const mailDomain = (publicUrl: string): string => {
  const { hostname } = new URL(publicUrl);
  return isAddress(`x@${hostname}`) && !/^[\d.]+$/.test(hostname) ? hostname : 'localhost';
};

function serverOf(text: string): SmtpServer | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password } = new URL(text);
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'smtps:';
  const auth = username === '' ? undefined : decoded({ user: username, pass: password });
  if (host === '' || (username !== '' && !auth)) return undefined;
  return { host, port: Number(port) || (secure ? 465 : 587), secure, auth, requireTLS: !secure && auth !== undefined && !isLoopback(host) };
}

function decoded({ user, pass }: { user: string; pass: string }): { user: string; pass: string } | undefined {
  try {
    return { user: decodeURIComponent(user), pass: decodeURIComponent(pass) };
  } catch {
    return undefined;
  }
}
