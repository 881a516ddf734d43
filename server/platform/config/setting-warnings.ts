import { type Config, isLoopback, misspelt } from './config.ts';

/** What is probably missing or dangerous in the settings, in a sentence each, for whoever starts the product. */
export const settingWarnings = (config: Config, env?: NodeJS.ProcessEnv): string[] => [
  ...misspelt(env),
  ...(config.production ? dangers(config) : []),
];

function dangers({ mail, operatorEmails, publicUrl, trustedProxies, registration, billing }: Config): string[] {
  return [
    ...(mail.server ? [] : ['SMTP_URL is not set: no mail leaves this machine, neither codes to sign up with nor alerts.']),
    ...(billing?.kind === 'sandbox' ? ['BILLING is sandbox: whoever presses a button has paid, and no money moves.'] : []),
    ...(registration === 'open' && !isLoopback(new URL(publicUrl).hostname)
      ? ['REGISTRATION is open: anybody who finds this address can open an account. Set it to invitation or closed to keep strangers out.']
      : []),
    ...(registration === 'invitation' && operatorEmails.length === 0
      ? ['REGISTRATION is invitation, and OPERATOR_EMAILS names nobody: no business can be invited.']
      : []),
    ...(publicUrl.startsWith('http://')
      ? [`PUBLIC_URL is ${publicUrl}: passwords and feedback travel in the open. Put TLS in front.`]
      : []),
    ...(publicUrl.startsWith('https://') && trustedProxies === 0
      ? [
          'TRUSTED_PROXIES is 0: behind a proxy all visitors seem to be one, and limits meet them together. Set it to the number of proxies.',
        ]
      : []),
  ];
}
