/* Synonyms that people search for, and the guides' words. */

/** Each line: a word of the guides, then other words for it. */
const MEANINGS = `
account: company organization
admin: manager owner boss administrator supervisor
alert: alarm warning
anonymous: anonymity
authenticator: 2fa mfa totp otp
brand: branding corporate
cancel: quit terminate unsubscribe
color: colour
comment: note remark discussion
complaint: complain
connection: offline wifi internet wlan
contact: callback helpdesk
delete: erase erasure wipe
email: mail
export: download extract
feedback: response survey
invite: invitation
language: translation translate multilingual german french spanish italian
level: access role permission right privilege
notification: notify
overview: dashboard statistic stat analytic kpi metric
password: passcode
pay: payment card
phone: mobile smartphone cell
picture: photo image avatar
plan: subscription tariff
price: cost pricing fee
privacy: confidential gdpr
property: place location shop store branch venue restaurant hotel outlet
question: questionnaire
quiet: night weekend vacation holiday
rating: nps csat score star rate
shortcut: hotkey
sign: login logon signin
spam: suspected flood fake bot abuse junk
tag: label category
teammate: colleague coworker employee staff
urgent: emergency important priority
visitor: customer guest client patient
webhook: zapier integration integrate
`;

/** Words to ignore in a search. */
export const IGNORED: ReadonlySet<string> = new Set(
  'a an and are as at be by can do does for from get have how i if in is it me my not of on one only or our so that the their them then there this to us was we what when where which who why will with you your'.split(
    ' ',
  ),
);

/** Returns a word without its ending, so that "delete", "deletes" and "deleted" match. */
export const stemOf = (word: string): string =>
  word
    .replace(/(?<=...)(?:(?<=[hsx])es|(?<!s)s)$/, '')
    .replace(/(?<=...)(?:ed|ing)$/, '')
    .replace(/(?<=...)(?:ie|[ey])$/, '');

/** The guides' word for each other word, by its stem. */
export const SYNONYMS: ReadonlyMap<string, string> = new Map(
  MEANINGS.trim()
    .split('\n')
    .flatMap((line) => {
      const [word = '', ...synonyms] = line.split(/:? /);
      return synonyms.map((synonym) => [stemOf(synonym), word]);
    }),
);
