import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createHttp } from '../http/http.ts';
import { ConfigError, readConfig } from './config.ts';
import { settingWarnings } from './setting-warnings.ts';

const warnings = (env: NodeJS.ProcessEnv): string[] => settingWarnings(readConfig(env), env);
const PRODUCTION = {
  NODE_ENV: 'production',
  SMTP_URL: 'smtp://mail.example.com',
  PUBLIC_URL: 'https://feedback.example.com',
  TRUSTED_PROXIES: '1',
  REGISTRATION: 'invitation',
  OPERATOR_EMAILS: 'olga@example.com',
};

it.each([
  ['HTTPS://Feedback.example.com/', 'https://feedback.example.com'],
  ['https://feedback.example.com:443', 'https://feedback.example.com'],
  ['http://10.0.0.5:8080', 'http://10.0.0.5:8080'],
])('PUBLIC_URL %s is %s in every link', (typed, publicUrl) => {
  expect(readConfig({ PUBLIC_URL: typed }).publicUrl).toBe(publicUrl);
});

it('suggests the setting for a misspelled one, and ignores other programs’ variables', () => {
  expect(
    warnings({
      SMTP_URI: 'smtp://mail.example.com',
      TRUSTED_PROXY: '1',
      smtp_url: 'x',
      HOME: '/root',
      PATH: '/bin',
      HOSTNAME: 'a',
      USER: 'b',
    }),
  ).toEqual(["SMTP_URI isn't a setting and has no effect. Did you mean SMTP_URL?", expect.stringContaining("smtp_url isn't a setting")]);
  expect(warnings({ TRUSTED_PROXIE: '1', DATABSE_URL: 'x' })).toEqual([
    expect.stringContaining('Did you mean TRUSTED_PROXIES?'),
    expect.stringContaining('Did you mean DATABASE_URL?'),
  ]);
});

it('warns of missing or unsafe settings in production only', () => {
  expect(warnings(PRODUCTION)).toEqual([]);
  expect(warnings({})).toEqual([]);
  expect(warnings({ NODE_ENV: 'production' })).toEqual([expect.stringMatching(/^SMTP_URL/), expect.stringMatching(/^PUBLIC_URL is http:/)]);
  expect(warnings({ ...PRODUCTION, REGISTRATION: '' })).toEqual([expect.stringMatching(/^REGISTRATION is open/)]);
  expect(warnings({ ...PRODUCTION, OPERATOR_EMAILS: '' })).toEqual([expect.stringContaining('no business can be invited')]);
  expect(warnings({ ...PRODUCTION, TRUSTED_PROXIES: '0' })).toEqual([expect.stringMatching(/^TRUSTED_PROXIES is 0/)]);
});

it('refuses a database URL whose password is not encoded, without quoting it', () => {
  const read = (): unknown => readConfig({ DATABASE_URL: 'postgres://me:p#ss/w@rd@localhost/afterword' });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/%23/);
  expect(read).not.toThrow(/p#ss/);
});

it.each([
  [0, 1],
  [1, 0],
])('with %i trusted proxies, forwarded requests are warned of %i times', async (trustedProxies, times) => {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const http = createHttp({ trustedProxies, hsts: 'off', publicUrl: 'https://feedback.example' }, logger);
  for (const headers of [{}, { 'x-forwarded-for': '203.0.113.7' }, { 'x-forwarded-for': '203.0.113.8' }])
    await http.inject({ url: '/', headers });
  expect(lines.filter((line) => line.includes('TRUSTED_PROXIES is 0'))).toHaveLength(times);
  expect(lines.join()).not.toContain('203.0.113');
  await http.close();
});
