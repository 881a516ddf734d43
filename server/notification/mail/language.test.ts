import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { subOf } from '#contract/core/ids.ts';
import { lockLink, type MailName, pageLink } from '#contract/mail/mail.ts';
import { ACCOUNT_ID, dana, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { openTestSmtp, type TestSmtp } from '../../../test/support/smtp.ts';
import type { OutgoingMail } from '../../platform/mailer/send-mail.ts';
import { inAccount } from '../../platform/tenancy/access.ts';
import { openMails } from './mails.ts';

/* Mails to the team are in the recipient's language, which they have when the mail is sent. */

const SITE = 'https://feedback.example.com';
const MENTIONED = { by: 'Noor Haddad', place: 'Pier 4', link: pageLink(SITE) };
const CHANGED = {
  when: { at: Date.UTC(2026, 10, 3, 14, 2) },
  device: { browser: 'Chrome', system: 'Windows' },
  lock: lockLink(SITE, 'k3y-_x'),
};

let app: TestApp;
let smtp: TestSmtp;
beforeAll(async () => {
  smtp = await openTestSmtp();
  app = await openTestApp({ settings: { SMTP_URL: smtp.url, PUBLIC_URL: SITE } });
  await app.stored(`update "user" set language = 'de' where id = $1`, [dana.id]);
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});
beforeEach(() => {
  smtp.received.length = 0;
});

/** Queues a mail of the account. */
const send = <Name extends MailName>(mail: Omit<OutgoingMail<Name>, 'reason'>): Promise<unknown> =>
  inAccount(app.app.platform, { accountId: ACCOUNT_ID, actor: sam.id }, (scope) =>
    openMails(app.app.platform).send(scope, { ...mail, reason: 'a test' } as OutgoingMail<Name>),
  );

/** Queues a mail about a person's sign-in. */
const sendSignIn = (props: object): Promise<unknown> =>
  app.app.platform.database.transaction({}, (db) =>
    openMails(app.app.platform).send(
      { db, sub: subOf(dana.id) },
      { to: 'former@harbor.example', mail: 'password-changed', props: props as typeof CHANGED, reason: 'a test' },
    ),
  );

/** Waits until one mail has arrived. */
async function arrived(): Promise<{ subject: string | undefined; text: string }> {
  await expect.poll(() => smtp.received.length).toBe(1);
  const { subject, text = '' } = smtp.received[0]?.mail ?? {};
  return { subject, text: text.replace(/\s+/g, ' ') };
}

it('a mail to someone who chose German is in German, and listed in English', async () => {
  await send({ to: dana.data.emailAddress, mail: 'mentioned', props: MENTIONED });
  const { subject, text } = await arrived();
  expect(subject).toBe('Noor Haddad hat Sie bei Afterword erwähnt');
  expect(text).toContain('Kommentar lesen');
  const [row] = await app.stored('select subject from delivery where "to" = $1', [dana.data.emailAddress]);
  expect(row).toEqual({ subject: 'A teammate mentioned you on Afterword' });
});

it('a mail to someone who chose no language is in English', async () => {
  await send({ to: sam.data.emailAddress, mail: 'mentioned', props: MENTIONED });
  expect(await arrived()).toMatchObject({
    subject: 'Noor Haddad mentioned you on Afterword',
    text: expect.stringContaining('Read the comment'),
  });
});

it('a mail about signing in is in the language of the person, at whichever address', async () => {
  await sendSignIn(CHANGED);
  const { subject, text } = await arrived();
  expect(subject).toBe('Ihr Afterword-Passwort wurde geändert');
  expect(text).toContain('Zeitpunkt: Dienstag, 3. November 2026 um 14:02 UTC');
  expect(text).toContain('Gerät: Chrome auf Windows');
});

it('a mail that an earlier version queued with words in place of values is sent', async () => {
  await sendSignIn({ ...CHANGED, when: 'Tuesday, 3 November 2026 at 14:02 UTC', device: 'Chrome on Windows' });
  const { subject, text } = await arrived();
  expect(subject).toBe('Ihr Afterword-Passwort wurde geändert');
  expect(text).toContain('Zeitpunkt: Tuesday, 3 November 2026 at 14:02 UTC');
  expect(text).toContain('Gerät: Chrome on Windows');
});
