import { Buffer } from 'node:buffer';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type MailName, pageLink } from '#contract/mail/mail.ts';
import { ACCOUNT_ID, dana, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { openTestSmtp, type TestSmtp } from '../../../test/support/smtp.ts';
import type { OutgoingMail } from '../../platform/mailer/send-mail.ts';
import { inAccount } from '../../platform/tenancy/access.ts';
import { openMails } from './mails.ts';

/* Mails to visitors look like the business, as it looks when they are sent. */

const SITE = 'https://feedback.example.com';
const ANSWER = {
  language: 'en',
  words: { title: 'Pier 4 answered you', open: 'Open the conversation', why: 'Why' },
  place: 'Pier 4',
  text: 'We fixed the heating.',
  link: `${SITE}/#reply=k3y-_x`,
} as const;

let app: TestApp;
let smtp: TestSmtp;
let admin: string;
beforeAll(async () => {
  smtp = await openTestSmtp();
  app = await openTestApp({ settings: { SMTP_URL: smtp.url, PUBLIC_URL: SITE } });
  admin = await app.signIn(dana.data.emailAddress);
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});
beforeEach(() => {
  smtp.received.length = 0;
});

const saveBrand = (data: object) => app.call('brand', 'save', { payload: { id: ACCOUNT_ID, data } }, admin);
const send = <Name extends MailName>(mail: Omit<OutgoingMail<Name>, 'reason'>): Promise<unknown> =>
  inAccount(app.app.platform, { accountId: ACCOUNT_ID, actor: sam.id }, (scope) =>
    openMails(app.app.platform).send(scope, { ...mail, reason: 'a test' } as OutgoingMail<Name>),
  );
const answer = () => send({ to: 'ann@visitor.example', mail: 'visitor-answer', props: ANSWER });

async function arrived() {
  await expect.poll(() => smtp.received.length).toBe(1);
  const [first] = smtp.received;
  if (!first) throw new Error('No mail arrived');
  return first.mail;
}

/** Returns a picture with more colors than a small file can hold. */
async function detailedPicture(): Promise<string> {
  const pixels = Buffer.from(Array.from({ length: 1_000 * 280 * 3 }, (_, index) => (index * 2_654_435_761) % 251));
  const file = await sharp(pixels, { raw: { width: 1_000, height: 280, channels: 3 } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${file.toString('base64')}`;
}

it('a mail to a visitor has the logo as a PNG that every mail program shows, and the accent', async () => {
  await saveBrand({ accent: '#ffd400', corners: 'square', logo: { picture: await detailedPicture(), alt: 'Harbor Coffee' } });
  await answer();
  const { html = '', text, attachments } = await arrived();
  expect(attachments).toMatchObject([{ mimeType: 'image/png', disposition: 'inline', contentId: '<logo>' }]);
  const content = Buffer.from(attachments[0]?.content as ArrayBuffer);
  expect(content.length).toBeLessThan(45_000);
  expect(await sharp(content).metadata()).toMatchObject({ format: 'png', width: 400, height: 112 });
  expect(html).toMatch(/<img[^>]*alt="Harbor Coffee"[^>]*height="56"[^>]*src="cid:logo"[^>]*width="200"/);
  expect(html).toMatch(/border-radius:0px;background-color:#856e00;color:#ffffff/);
  expect(html).toContain('.d-button{background-color:#ffd400!important;color:#14141a!important}');
  expect(text).not.toMatch(/logo|Harbor Coffee/);
});

it('a mail to the team has neither', async () => {
  await send({ to: sam.data.emailAddress, mail: 'mentioned', props: { by: 'Noor Haddad', place: 'Pier 4', link: pageLink(SITE) } });
  const { html, attachments } = await arrived();
  expect(attachments).toEqual([]);
  expect(html).not.toMatch(/cid:logo|#ffd400|#856e00/);
});

it('a removed logo is in no later mail', async () => {
  await saveBrand({ logo: null });
  await answer();
  const { html, attachments } = await arrived();
  expect(attachments).toEqual([]);
  expect(html).not.toContain('cid:logo');
  expect(await app.stored('select mail_logo from brand')).toEqual([{ mail_logo: null }]);
});
