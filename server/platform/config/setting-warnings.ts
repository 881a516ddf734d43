import { type Config, isLoopback, misspelledSettings } from './config.ts';

/** Returns a message for each setting that is probably misspelled, missing or unsafe. */
export const settingWarnings = (config: Config, env?: NodeJS.ProcessEnv): string[] => [
  ...misspelledSettings(env),
  ...(config.production ? productionWarnings(config) : []),
];

function productionWarnings({ mail, operatorEmails, publicUrl, trustedProxies, registration, billing }: Config): string[] {
  return [
    ...(mail.server ? [] : ['SMTP_URL is not set, so no mail is sent, including sign-up codes and alerts.']),
    ...(billing?.kind === 'sandbox' ? ['BILLING is sandbox, so payments are simulated and no money moves.'] : []),
    ...(registration === 'open' && !isLoopback(new URL(publicUrl).hostname)
      ? ['REGISTRATION is open, so anyone who finds this address can sign up. Set it to invitation or closed to keep strangers out.']
      : []),
    ...(registration === 'invitation' && operatorEmails.length === 0
      ? ['REGISTRATION is invitation, but OPERATOR_EMAILS is not set, so no business can be invited.']
      : []),
    ...(publicUrl.startsWith('http://') ? [`PUBLIC_URL is ${publicUrl}, so passwords and feedback are sent unencrypted. Use TLS.`] : []),
    ...(publicUrl.startsWith('https://') && trustedProxies === 0
      ? ['TRUSTED_PROXIES is 0, so behind a proxy all visitors share one address and its limits. Set it to the number of proxies.']
      : []),
  ];
}
