import path from 'node:path';
import { closest, distance } from 'fastest-levenshtein';
import * as v from 'valibot';
import { email } from '#contract/core/schema.ts';
import { type PublicConfig, REGISTRATIONS } from '#contract/identity/identity.ts';
import { DatabaseUrlError, readServers } from '../database/url.ts';
import { isAddress, type MailSender } from '../mailer/message.ts';
import type { SmtpServer } from '../mailer/smtp.ts';
import { BILLING_SETTINGS, type BillingConfig, billingOf, type PaddleKey, paddleKeyOf } from './billing.ts';
import { ConfigError, flag, matching, passing, type SettingSchemas, type SettingsOf } from './setting.ts';

export { ConfigError };

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
  readonly database: { readonly url: string; readonly appUrl: string | undefined; readonly pooler?: string | undefined } | undefined;
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
  DATABASE_POOLER: [
    matching(/^(?:[\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i, (address) => isReadable(`postgres://${address}`)),
    'the host and port of a pooler in transaction mode, such as 10.0.0.5:6432',
  ],
  IDENTITY_SECRET: [v.pipe(v.string(), v.minLength(32)), 'at least 32 characters'],
  IDENTITY: [v.picklist(['embedded', 'cognito']), 'embedded or cognito'],
  COGNITO_USER_POOL_ID: [matching(/^[a-z]{2}(?:-[a-z]+)+-\d_[A-Za-z0-9]{1,45}$/), 'the pool’s id, such as us-west-2_a1B2c3D4e'],
  COGNITO_CLIENT_ID: [matching(/^[\w+]{1,128}$/), 'the id of the pool’s app client, which has no secret'],
  COGNITO_ENDPOINT: [matching(/^https?:\/\//, URL.canParse), 'the address to use instead of AWS'],
  COGNITO_DOMAIN: [
    matching(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i),
    'the host of the pool’s hosted login, without https://, such as auth.example.com',
  ],
  OPERATOR_EMAILS: [
    passing(isListOfEmails),
    'email addresses that can sign in (without +, and ending in 2 to 5 letters), separated by commas',
  ],
  HSTS: [v.picklist(['host', 'subdomains', 'off']), 'host, subdomains or off'],
  REGISTRATION: [v.picklist(REGISTRATIONS), 'open, invitation or closed'],
  ...BILLING_SETTINGS,
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
} as const satisfies SettingSchemas;

type Settings = SettingsOf<typeof SETTINGS>;

/** Returns the settings. Throws a `ConfigError` that names the first invalid one and the expected value. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const settings = check(env);
  const production = settings.NODE_ENV === 'production';
  const roles = rolesOf(settings.ROLES ?? 'web,worker');
  const port = Number(settings.PORT ?? 8080);
  const publicUrl = new URL(settings.PUBLIC_URL ?? `http://localhost:${port}`).origin;
  return {
    production,
    host: settings.HOST ?? '127.0.0.1',
    port,
    publicUrl,
    dataDir: path.resolve(settings.DATA_DIR ?? 'data'),
    builtDir: path.resolve(settings.BUILT_DIR ?? path.join(import.meta.dirname, '../../../dist')),
    database: databaseOf(settings),
    identitySecret: settings.IDENTITY_SECRET,
    cognito: cognitoOf(settings),
    operatorEmails: emailsOf(settings.OPERATOR_EMAILS ?? ''),
    roles,
    seed: settings.SEED,
    trustedProxies: Number(settings.TRUSTED_PROXIES ?? 0),
    logLevel: settings.LOG_LEVEL ?? 'info',
    metricsToken: settings.METRICS_TOKEN,
    allowVolatile: settings.ALLOW_VOLATILE ?? false,
    website: settings.WEBSITE ?? '/about',
    registration: settings.REGISTRATION ?? 'open',
    hsts: settings.HSTS ?? 'host',
    billing: billingOf(settings, { production, roles }),
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

/** Returns the Paddle key, whatever `BILLING` is. Throws a `ConfigError` if it's missing or of the other environment. */
export const readPaddleKey = (env: NodeJS.ProcessEnv = process.env): PaddleKey => paddleKeyOf(check(env));

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

/** Checks operators' addresses, because one that sign-in refuses would lock an operator out. */
function isListOfEmails(list: string): boolean {
  return emailsOf(list).every((address) => v.is(email, address));
}

const portsOf = (list: string): number[] => (list === '' ? [] : list.split(',').map(Number));

function areAllPorts(list: string): boolean {
  return portsOf(list).every((port) => port >= 1 && port <= 65_535);
}

function databaseOf({ DATABASE_URL: url, DATABASE_APP_URL: appUrl, DATABASE_POOLER: pooler }: Settings): Config['database'] {
  if (url !== undefined) return { url, appUrl, pooler };
  if (pooler !== undefined) throw new ConfigError('DATABASE_POOLER is set without DATABASE_URL; it should be a pooler of that server.');
  if (appUrl !== undefined)
    throw new ConfigError('DATABASE_APP_URL is set without DATABASE_URL; it should be another role on that server.');
  return undefined;
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
