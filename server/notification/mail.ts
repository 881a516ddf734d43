import type { Mails } from '#contract/notification.ts';
import type { MailFacts } from '../events.ts';
import type { Config } from '../kernel/config.ts';

/** One of the mails, with what it is told. */
export type Letter = { [Name in keyof Mails]: { readonly name: Name; readonly props: Mails[Name] } }[keyof Mails];

/**
 * Which mail each fact becomes. Links lead to the configured address and to no other (R52); a code or a key stands
 * behind the `#`, which no server is sent and none can log.
 */
const LETTERS: { readonly [Name in keyof MailFacts]: (fact: MailFacts[Name], site: string) => Letter } = {
  'identity.sign-up-code': ({ name, code }) => ({ name: 'sign-up-code', props: { name, code } }),
  'identity.reset-code': ({ email, code }, site) => ({
    name: 'reset-code',
    props: { code, link: `${site}/#${fragment({ reset: code, email })}` },
  }),
  'identity.address-code': ({ code }) => ({ name: 'address-code', props: { code } }),
  'identity.address-changed': (_fact, site) => ({ name: 'address-changed', props: { link: `${site}/` } }),
  'identity.password-changed': (_fact, site) => ({ name: 'password-changed', props: { link: `${site}/` } }),
  'identity.address-taken': (_fact, site) => ({ name: 'address-taken', props: { link: `${site}/` } }),
  'user.invited': ({ key, email: _email, ...people }, site) => ({
    name: 'invitation',
    props: { ...people, link: `${site}/#${fragment({ invite: key })}` },
  }),
  'property.opened': ({ place, path }, site) => ({ name: 'form-ready', props: { place, link: `${site}${encodeURI(path)}` } }),
  'account.created': ({ name, company }, site) => ({ name: 'welcome', props: { name, company, link: `${site}/` } }),
};

const fragment = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

/** The mail that tells a fact. Undefined for a fact of another version. */
export function letterOf(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  name: string,
  fact: Readonly<Record<string, string>>,
): Letter | undefined {
  if (!Object.hasOwn(LETTERS, name)) return undefined;
  // The name was told together with its fact, by `tell`, which pairs them.
  return LETTERS[name as keyof MailFacts](inLines(fact) as never, publicUrl);
}

/** What people chose cannot begin a line of its own, nor turn the text's direction. */
const inLines = (fact: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fact).map(([name, value]) => [name, value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')]));
