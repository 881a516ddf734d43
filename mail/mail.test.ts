import { readFileSync } from 'node:fs';
import path from 'node:path';
import jsQR from 'jsqr';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { isToVisitor, type Mails, type RenderedMail } from '#contract/mail/mail.ts';
import { bundle } from './entry-server.ts';
import { MAILS } from './mails.ts';
import { LIGHT } from './theme.ts';

const MALICIOUS = '<img src=x onerror=alert(1)>&"\'';
const LINK = 'https://feedback.example.com/#reset=123456&email=dana%40harbor.example';
const people = { name: MALICIOUS, invitedBy: MALICIOUS, company: MALICIOUS };

const AT = Date.UTC(2026, 10, 21, 14, 2);
const CHANGE = { when: { at: AT }, device: { browser: 'Chrome', system: 'Windows' }, lock: LINK };
const CHANGED = 'Saturday, 21 November 2026 at 14:02 UTC';

/** Each email with malicious input, and what its text must contain. */
const SAMPLES: { readonly [Name in keyof Mails]: { readonly props: Mails[Name]; readonly contains: readonly string[] } } = {
  'sign-up-code': {
    props: { ...people, code: '123456', link: LINK },
    contains: ['123456', '24 hours', LINK, `Name: ${MALICIOUS}`, `Company: ${MALICIOUS}`],
  },
  'reset-code': { props: { code: '123456', link: LINK }, contains: ['123456', '10 minutes', LINK] },
  'address-code': { props: { code: '123456' }, contains: ['123456'] },
  'address-changed': { props: { ...CHANGE, link: LINK }, contains: [CHANGED, 'Chrome on Windows', LINK] },
  'password-changed': { props: CHANGE, contains: [CHANGED, 'Chrome on Windows', LINK] },
  'second-factor-changed': { props: { ...CHANGE, isOn: true }, contains: ['turned on', CHANGED, LINK] },
  'backup-code-used': { props: { ...CHANGE, left: 3, link: LINK }, contains: ['3 codes are left', 'Chrome on Windows', LINK] },
  'second-factor-reset': { props: { by: MALICIOUS, link: LINK }, contains: [`Done by: ${MALICIOUS}`, 'signed out everywhere', LINK] },
  'second-factor-reset-asked': {
    props: { by: 'olga@operator.example', when: { at: AT }, link: LINK },
    contains: ['Asked by: olga@operator.example', CHANGED, LINK],
  },
  'address-taken': { props: { link: LINK }, contains: ['already', LINK] },
  invitation: { props: { ...people, link: LINK }, contains: [`For: ${MALICIOUS}`, `Team: ${MALICIOUS}`, `Invited by: ${MALICIOUS}`, LINK] },
  'invitation-elsewhere': { props: { ...people, link: LINK }, contains: ['only one team', `Team: ${MALICIOUS}`, LINK] },
  'account-invitation': { props: { ...people, link: LINK }, contains: [`For: ${MALICIOUS}`, `Business: ${MALICIOUS}`, LINK] },
  'operator-invitation': { props: { link: LINK }, contains: ['OPERATOR_EMAILS', LINK] },
  welcome: { props: { ...people, link: LINK, form: `${LINK}&form` }, contains: [MALICIOUS, LINK, `Your form: ${LINK}&form`] },
  'account-deleted': {
    props: { company: MALICIOUS, until: { at: AT }, link: LINK },
    contains: [`Account: ${MALICIOUS}`, `until: ${CHANGED}`, 'Restore account', LINK],
  },
  'plan-news': {
    props: { about: 'payment-failed', company: MALICIOUS, until: { at: AT }, isTestMode: true, link: LINK },
    contains: ['A payment failed', 'Test mode: no money moves', `Account: ${MALICIOUS}`, `Until: ${CHANGED}`, LINK],
  },
  'form-link': {
    props: { place: MALICIOUS, link: 'https://feedback.example/feedback/FORM_a1B2c3', trial: LINK },
    contains: [MALICIOUS, LINK, 'https://feedback.example/feedback/FORM_a1B2c3'],
  },
  'form-ready': { props: { place: MALICIOUS, link: LINK }, contains: [MALICIOUS, LINK] },
  'delivery-test': { props: { name: MALICIOUS, link: LINK }, contains: [MALICIOUS, LINK] },
  mentioned: {
    props: { by: MALICIOUS, place: MALICIOUS, link: LINK },
    contains: [`Mentioned by: ${MALICIOUS}`, `Property: ${MALICIOUS}`, LINK],
  },
  assigned: {
    props: { by: MALICIOUS, place: MALICIOUS, count: 1, link: LINK },
    contains: [`Assigned by: ${MALICIOUS}`, `Property: ${MALICIOUS}`, LINK],
  },
  'message-received': { props: { kind: 'bug', from: MALICIOUS, link: LINK }, contains: ['a bug report', `From: ${MALICIOUS}`, LINK] },
  'webhook-failing': {
    props: { host: MALICIOUS, isGone: true, link: LINK },
    contains: [`Receiver: ${MALICIOUS}`, '410 Gone', LINK],
  },
  'visitor-answer': {
    props: {
      language: 'en',
      words: { title: `${MALICIOUS} answered you`, open: 'Open the conversation', why: 'Why' },
      place: MALICIOUS,
      text: `${MALICIOUS} answers`,
      link: LINK,
    },
    contains: [`${MALICIOUS} answers`, 'Open the conversation', LINK],
  },
  'feedback-request': {
    props: {
      language: 'en',
      words: {
        title: 'How was your visit?',
        greeting: 'Hello {name},',
        reminder: 'Again',
        lead: 'One tap',
        why: 'Why',
        stop: 'Stop',
      },
      place: MALICIOUS,
      name: MALICIOUS,
      faces: [{ rating: 1, word: 'Awful', link: LINK }],
      address: `${MALICIOUS} street`,
      leave: `${LINK}&stop`,
    },
    contains: ['Again', 'One tap', 'Awful', LINK, `${MALICIOUS} street`, `${LINK}&stop`],
  },
  'api-key-created': {
    props: { by: MALICIOUS, name: MALICIOUS, link: LINK },
    contains: [`Name: ${MALICIOUS}`, `Created by: ${MALICIOUS}`, LINK],
  },
  'conversation-reported': { props: { place: MALICIOUS, link: LINK }, contains: [`Property: ${MALICIOUS}`, LINK] },
  'kiosk-silent': {
    props: { kiosk: MALICIOUS, place: MALICIOUS, link: LINK },
    contains: [`Kiosk: ${MALICIOUS}`, `Property: ${MALICIOUS}`, LINK],
  },
  'urgent-feedback': {
    props: {
      about: 'new',
      place: MALICIOUS,
      placement: MALICIOUS,
      rating: 1,
      text: `Cold soup.\n\nNobody came. ${MALICIOUS}`,
      contact: { name: MALICIOUS, phone: '+1 555 0100', email: 'tom@visitor.example' },
      when: { at: AT, zone: 'Europe/Berlin' },
      link: LINK,
      take: `${LINK}&take`,
    },
    contains: [
      `${LINK}&take`,
      'Awful, 1 of 5',
      `at ${MALICIOUS}, ${MALICIOUS}`,
      'Cold soup.',
      '+1 555 0100',
      'tom@visitor.example',
      'Saturday, 21 November 2026 at 15:02',
      LINK,
    ],
  },
  'urgent-digest': {
    props: {
      why: 'hour',
      places: [{ place: MALICIOUS, count: 25 }],
      items: [
        {
          place: MALICIOUS,
          rating: 2,
          text: MALICIOUS,
          contact: { name: MALICIOUS, phone: '+1 555 0100' },
          when: { at: AT },
          link: LINK,
        },
      ],
      more: 24,
      link: LINK,
    },
    contains: [`${MALICIOUS}: 25`, 'Bad, 2 of 5', `“${MALICIOUS}”`, '+1 555 0100', `${CHANGED} · Open it`, 'And 24 more', LINK],
  },
  report: {
    props: {
      kind: 'weekly',
      place: MALICIOUS,
      period: { firstDay: '2026-11-16', lastDay: '2026-11-22' },
      ratings: [12, 9, 14, 41, 52],
      before: [3, 4, 10, 40, 44],
      funnel: { views: 300, ratings: 128, reviews: 20 },
      requests: { sent: 40, answered: 12 },
      topics: [{ name: MALICIOUS, ratings: [2, 0, 0, 0, 2], before: [0, 0, 0, 1, 0] }],
      words: {
        bad: [{ words: 'cold coffee', bad: 12, good: 1, link: LINK }],
        good: [{ words: 'lovely staff', bad: 0, good: 31, link: LINK }],
      },
      waiting: { count: 7, longest: [{ rating: 1, since: { at: AT, zone: 'Europe/Berlin' }, link: LINK }], link: LINK },
      places: {
        ends: [
          { id: 'PROJECT_a', name: 'Old Town', ratings: [0, 0, 10, 10, 10] },
          { id: 'PROJECT_b', name: MALICIOUS, ratings: [12, 9, 14, 41, 52] },
        ],
        rows: [
          { place: 'Old Town', ratings: [0, 0, 10, 10, 10], rank: 1, isOwn: false },
          { place: MALICIOUS, ratings: [12, 9, 14, 41, 52], rank: 2, isOwn: true },
          { place: 'Kiosk', ratings: [0, 0, 0, 0, 1], isOwn: false },
        ],
      },
      form: 'https://feedback.example/feedback/FORM_a1B2c3',
      link: LINK,
      leave: LINK,
    },
    contains: [
      `Property: ${MALICIOUS}`,
      'Period: Monday 16 to Sunday 22 November 2026',
      '3.9 On average, down 0.3 from the week before. 128 ratings, 27 more than the week before.',
      'Great 41% (52)',
      'Awful 9% (12)',
      'The form was opened 300 times. 128 ratings came from that (43%). 20 opened a review link (16%).',
      '40 customers were asked by email. 12 answered (30%).',
      `${MALICIOUS}: 4 answers, 3.0 on average (−1.0)`,
      '“cold coffee”',
      'in 12 bad and 1 good',
      '7 visitors wait for an answer',
      'Awful, since 21 November 2026, 15:02',
      '1. Old Town 4.0 from 30 ratings',
      'Kiosk 1 rating, too few to compare',
      'The averages lie between 3.9 and 4.0. With this few ratings, the order may be chance.',
      'Unsubscribe',
      LINK,
    ],
  },
};
/** A visitor's text belongs only in the body, never in the subject. */
const URGENT = {
  place: 'Pier 4',
  rating: 2,
  text: MALICIOUS,
  when: { at: AT },
  link: LINK,
  take: LINK,
} as const;
const ANN = { name: 'Ann', phone: '030 555 01' };
const DIGEST = { why: 'quiet', items: [], more: 0, link: LINK } as const;
const NAMES = Object.keys(MAILS) as (keyof Mails)[];

describe.each(NAMES)('%s', (name) => {
  const render = (): Promise<RenderedMail> => bundle.renderMail(name, SAMPLES[name].props as never);

  it('has what matters in plain text', async () => {
    const { text } = await render();
    const unfolded = text.replace(/\s+/g, ' ');
    for (const words of SAMPLES[name].contains) expect(unfolded).toContain(words.replace(/\s+/g, ' '));
    expect(text).not.toMatch(/[\u200b-\u200f\ufeff]/);
  });

  it('has the URLs of its buttons in the text part only', async () => {
    const { html } = await render();
    const shown = html.replace(/<[^>]+>/g, '').replaceAll('&amp;', '&');
    expect(shown.replace(`${LINK}&form`, '')).not.toContain(LINK);
  });

  it('escapes HTML in its input', async () => {
    const { html } = await render();
    expect(html).not.toContain('<img src=x');
    expect(html).not.toMatch(/<[^>]*\sonerror/);
    if (SAMPLES[name].contains.includes(MALICIOUS)) expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  it('loads nothing and links only to the given URL', async () => {
    const { html } = await render();
    expect(html).not.toMatch(/<img(?![^>]* src="cid:code")/);
    expect(html).not.toMatch(/<(?:script|link|iframe|object|video|audio|form)\b|url\(|@import|@font-face|\bbackground="/i);
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
    for (const link of links) expect(link).toMatch(/^(?:https:\/\/feedback\.example\.com\/#|tel:|mailto:)/);
  });

  it('is 600 pixels wide, in light and in dark', async () => {
    const { html } = await render();
    expect(html).toContain('max-width:600px');
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    expect(html).toContain('lang="en"');
    expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1"/>');
    // Some mail apps cut off an email beyond 102 kB.
    expect(Buffer.byteLength(html)).toBeLessThan(name === 'report' ? 40_000 : 20_000);
  });

  it('has no input in the listed subject, the title or the first line', async () => {
    const { html, text } = await render();
    const subject = bundle.subjectOf(name);
    const [, title = ''] = /<title>(.*?)<\/title>/.exec(html) ?? [];
    const [, preview = ''] = /data-skip-in-text="true"[^>]*>(.*?)<\/div>/.exec(html) ?? [];
    const beginning = text.split('\n').filter(Boolean).slice(0, 2).join(' ');
    for (const first of [subject, title, preview, beginning]) {
      expect(first).not.toBe('');
      expect(first).not.toMatch(/img|123456|[\r\n]/);
    }
  });
});

/** Rendered in the team member's language; the others have their words with them. */
const TO_TEAM = NAMES.filter((name) => !isToVisitor(name));

describe.each(TO_TEAM)('%s in German', (name) => {
  it('has a German subject, title and preview, and a value for every name', async () => {
    const [english, german] = await Promise.all(
      (['en', 'de'] as const).map((language) => bundle.renderMail(name, SAMPLES[name].props as never, { language })),
    );
    const parts = [/<title>(.*?)<\/title>/, /data-skip-in-text="true"[^>]*>(.*?)<\/div>/, /<h1[^>]*>(.*?)<\/h1>/];
    for (const part of parts) expect(part.exec(german?.html ?? '')?.[1]).not.toBe(part.exec(english?.html ?? '')?.[1]);
    expect(german?.subject).not.toBe(english?.subject);
    expect(german?.html).toContain('lang="de"');
    for (const shown of [german?.subject, german?.html, german?.text]) expect(shown).not.toMatch(/\{\w+\}|<\/?(?:support|rating|form)>/);
    expect(german?.text).not.toMatch(/You’re getting this|You are|Please/);
  });
});

it.each(['visitor-answer', 'urgent-feedback', 'urgent-digest'] as const)('%s keeps the lines of a text, in its direction', async (name) => {
  const [text, { props }] = ['One\n\nTwo\nThree', SAMPLES[name]];
  const lines = 'items' in props ? { ...props, items: props.items.map((item) => ({ ...item, text })) } : { ...props, text };
  const mail = await bundle.renderMail(name, lines as never);
  expect(mail.text).toContain('“One\n\nTwo\nThree”');
  expect(mail.html).toMatch(/<p dir="auto"[^>]*>“One(<br\/>){2}Two<br\/>Three”<\/p>/);
});

it.each([
  ['second-factor-reset-asked', ['Samstag, 21. November 2026 um 14:02 UTC']],
  ['password-changed', ['Gerät: Chrome auf Windows']],
  [
    'report',
    [
      'Zeitraum: Montag, 16. bis Sonntag, 22. November 2026',
      '3,9',
      '41 % (52)',
      'seit 21. November 2026, 15:02',
      '1. Old Town 4,0 aus 30 Bewertungen',
      '„cold coffee“',
      '4 Antworten, im Durchschnitt 3,0 (−1,0)',
    ],
  ],
] as const)('%s has German dates, numbers and quotation marks', async (name, contains) => {
  const { text } = await bundle.renderMail(name, SAMPLES[name].props as never, { language: 'de' });
  for (const words of contains) expect(text.replace(/\s+/g, ' ')).toContain(words);
});

it.each([
  [
    'weekly',
    '2026-11-30',
    '2026-12-06',
    'Monday 30 November to Sunday 6 December 2026',
    'Montag, 30. November bis Sonntag, 6. Dezember 2026',
  ],
  [
    'weekly',
    '2026-12-28',
    '2027-01-03',
    'Monday 28 December 2026 to Sunday 3 January 2027',
    'Montag, 28. Dezember 2026 bis Sonntag, 3. Januar 2027',
  ],
  ['daily', '2026-11-22', '2026-11-22', 'Sunday 22 November 2026', 'Sonntag, 22. November 2026'],
  ['monthly', '2026-11-01', '2026-11-30', 'November 2026', 'November 2026'],
] as const)('names the period of a %s report from %s to %s', async (kind, firstDay, lastDay, english, german) => {
  const props = { ...SAMPLES.report.props, kind, period: { firstDay, lastDay } };
  expect((await bundle.renderMail('report', props)).text).toContain(`Period: ${english}`);
  expect((await bundle.renderMail('report', props, { language: 'de' })).text.replace(/\s+/g, ' ')).toContain(`Zeitraum: ${german}`);
});

it('shows values that an earlier version queued in words', async () => {
  const { waiting, places, ...report } = SAMPLES.report.props;
  const queued = {
    ...report,
    period: 'Last week',
    waiting: { ...waiting, longest: waiting.longest.map((visitor) => ({ ...visitor, since: 'yesterday' })) },
    places: { rows: places?.rows, said: 'All averages are about 4.0.' },
  };
  const { subject, text } = await bundle.renderMail('report', queued as never);
  expect(subject).toBe('Your weekly report, Last week');
  for (const words of ['Period: Last week', 'Awful, since yesterday', 'All averages are about 4.0.']) expect(text).toContain(words);
  const changed = { ...CHANGE, when: 'Sunday', device: 'Chrome' };
  expect((await bundle.renderMail('password-changed', changed as never)).text).toContain('When: Sunday\nDevice: Chrome');
});

it.each([
  ['sign-up-code', { name: 'Ann', code: '640564' }, '640564 is your Afterword code'],
  ['address-code', { code: '640564' }, '640564 is your Afterword code'],
  ['reset-code', { code: '640564', link: LINK }, '640564 resets your Afterword password'],
  ['reset-code', { link: LINK }, 'Reset your Afterword password'],
  [
    'invitation',
    { name: 'Tom', invitedBy: 'Olive Baker', company: 'Olive and Thyme', link: LINK },
    'Olive Baker invited you to Olive and Thyme',
  ],
  ['invitation', { name: 'Tom', invitedBy: '', company: 'Olive and Thyme', link: LINK }, 'You are invited to Olive and Thyme'],
  ['invitation', { name: 'Tom', invitedBy: MALICIOUS, company: 'Olive and Thyme', link: LINK }, 'You are invited to Olive and Thyme'],
  ['mentioned', { by: 'Olive Baker', place: 'Pier 4', link: LINK }, 'Olive Baker mentioned you on Afterword'],
  ['assigned', { by: 'Olive Baker', place: 'Pier 4', count: 2, link: LINK }, 'Olive Baker assigned feedback to you on Afterword'],
  ['assigned', { by: MALICIOUS, place: 'Pier 4', count: 1, link: LINK }, 'Feedback was assigned to you on Afterword'],
  ['report', { ...SAMPLES.report.props, place: 'Pier 4' }, 'Pier 4: your weekly report, Monday 16 to Sunday 22 November 2026'],
  [
    'report',
    { ...SAMPLES.report.props, kind: 'daily', period: { firstDay: '2026-11-22', lastDay: '2026-11-22' } },
    'Your daily report, Sunday 22 November 2026',
  ],
  ['mentioned', { by: MALICIOUS, place: 'Pier 4', link: LINK }, 'A teammate mentioned you on Afterword'],
  [
    'invitation',
    { name: 'Tom', invitedBy: 'Olive', company: 'win https://evil.example', link: LINK },
    'You are invited to a team on Afterword',
  ],
  ['urgent-feedback', { ...URGENT, about: 'new' }, 'Rated Bad at Pier 4'],
  ['urgent-feedback', { ...URGENT, about: 'added' }, 'Re: Rated Bad at Pier 4'],
  [
    'urgent-feedback',
    { ...URGENT, about: 'new', contact: ANN, place: 'Olive and Thyme Café' },
    'Ann wants to be contacted – Olive and Thyme Café',
  ],
  ['urgent-feedback', { ...URGENT, about: 'added', contact: ANN }, 'Re: Ann wants to be contacted – Pier 4'],
  ['urgent-feedback', { ...URGENT, about: 'unopened', contact: ANN }, 'Not opened yet: Ann wants to be contacted – Pier 4'],
  ['urgent-feedback', { ...URGENT, about: 'new', contact: { phone: '030 555 01' } }, 'A visitor wants to be contacted – Pier 4'],
  [
    'urgent-feedback',
    { ...URGENT, about: 'new', contact: { name: 'win evil.example' }, place: MALICIOUS },
    'A visitor wants to be contacted',
  ],
  ['urgent-feedback', { ...URGENT, about: 'new', place: 'win https://evil.example' }, 'Rated Bad'],
  ['urgent-feedback', { ...URGENT, about: 'unopened', place: MALICIOUS }, 'Not opened yet: Rated Bad'],
  ['urgent-digest', { ...DIGEST, places: [{ place: 'Pier 4', count: 25 }] }, '25 urgent feedback items at Pier 4'],
  ['urgent-digest', { ...DIGEST, places: [{ place: MALICIOUS, count: 1 }] }, 'Urgent feedback'],
] as const)('sends %s with a specific subject', async (name, props, subject) => {
  expect((await bundle.renderMail(name, props as never)).subject).toBe(subject);
});

it.each([
  ['help@harbor.example', 'mailto:help@harbor.example'],
  ['https://help.harbor.example/', 'https://help.harbor.example/'],
])('ends with a link to help: %s', async (support, href) => {
  const { html, text } = await bundle.renderMail('password-changed', CHANGE, { support });
  expect(html).toContain(`href="${href}"`);
  expect(text.replaceAll(/\s+/g, ' ')).toContain(`Questions? Ask ${support}`);
  expect((await bundle.renderMail('password-changed', CHANGE)).text).not.toContain('Questions');
});

it.each([
  ['urgent-feedback', SAMPLES['urgent-feedback'].props, 'Cold soup.'],
  ['urgent-digest', SAMPLES['urgent-digest'].props, `“${MALICIOUS}”`],
] as const)('%s has the visitor’s words before the rating, the contact and the time', async (name, props, words) => {
  const { text } = await bundle.renderMail(name, props as never);
  const places = [words, ' of 5', '+1 555', '21 November 2026'].map((part) => text.indexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

it('the welcome has the form’s QR code as a picture in the email', async () => {
  const form = 'https://feedback.example/feedback/FORM_a1B2c3';
  const { pictures = [] } = await bundle.renderMail('welcome', { ...people, link: LINK, form });
  const { data, info } = await sharp(pictures[0]?.content).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  expect(jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(form);
  expect((await bundle.renderMail('welcome', { ...people, link: LINK })).pictures).toBeUndefined();
});

it('uses the dashboard’s colors', () => {
  const css = readFileSync(path.resolve(import.meta.dirname, '../dashboard/ui/theme/tokens.css'), 'utf8');
  for (const color of Object.values(LIGHT)) expect(css).toContain(color);
});

describe.each(NAMES.filter(isToVisitor))('%s of a brand', (name) => {
  it('shows a description of the logo only if it can’t be taken for a link', async () => {
    const logo = { picture: 'data:image/png;base64,AAAA', width: 200, height: 56 };
    for (const [alt, shown] of [
      ['Harbor Coffee', 'alt="Harbor Coffee"'],
      ['pay at evil.example', 'alt=""'],
    ] as const) {
      const { html } = await bundle.renderMail(name, SAMPLES[name].props as never, { look: { corners: 'soft', logo: { ...logo, alt } } });
      expect(/<img[^>]*>/.exec(html)?.[0]).toContain(shown);
    }
  });
});
