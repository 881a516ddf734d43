import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Mails, RenderedMail } from '#contract/mail.ts';
import { bundle } from './entry-server.ts';
import { MAILS } from './mails.ts';
import { LIGHT } from './theme.ts';

const MALICIOUS = '<img src=x onerror=alert(1)>&"\'';
const LINK = 'https://feedback.example.com/#reset=123456&email=dana%40harbor.example';
const people = { name: MALICIOUS, invitedBy: MALICIOUS, company: MALICIOUS };

/** Each mail with words that would do harm, and what its text must say. */
const SAMPLES: { readonly [Name in keyof Mails]: { readonly props: Mails[Name]; readonly says: readonly string[] } } = {
  'sign-up-code': { props: { ...people, code: '123456' }, says: ['123456', '24 hours', MALICIOUS] },
  'reset-code': { props: { code: '123456', link: LINK }, says: ['123456', '10 minutes', LINK] },
  'address-code': { props: { code: '123456' }, says: ['123456'] },
  'address-changed': { props: { link: LINK }, says: [LINK] },
  'password-changed': { props: { link: LINK }, says: [LINK] },
  'address-taken': { props: { link: LINK }, says: ['already', LINK] },
  invitation: { props: { ...people, link: LINK }, says: [`For: ${MALICIOUS}`, `Team: ${MALICIOUS}`, `Invited by: ${MALICIOUS}`, LINK] },
  'invitation-elsewhere': { props: { ...people, link: LINK }, says: ['one team only', `Team: ${MALICIOUS}`, LINK] },
  welcome: { props: { ...people, link: LINK }, says: [MALICIOUS, LINK] },
  'form-ready': { props: { place: MALICIOUS, link: LINK }, says: [MALICIOUS, LINK] },
  'urgent-feedback': {
    props: {
      place: MALICIOUS,
      rating: 1,
      text: `Cold soup.\n\nNobody came. ${MALICIOUS}`,
      contact: { name: MALICIOUS, phone: '+1 555 0100', email: 'tom@visitor.example' },
      when: '21 November 2026, 14:02',
      link: LINK,
    },
    says: ['1 of 5', 'Cold soup.', MALICIOUS, '+1 555 0100', 'tom@visitor.example', '21 November 2026, 14:02', LINK],
  },
};
const NAMES = Object.keys(MAILS) as (keyof Mails)[];

describe.each(NAMES)('%s', (name) => {
  const render = (): Promise<RenderedMail> => bundle.renderMail(name, SAMPLES[name].props as never);

  it('says in plain text what matters', async () => {
    const { text } = await render();
    const unfolded = text.replace(/\s+/g, ' ');
    for (const words of SAMPLES[name].says) expect(unfolded).toContain(words.replace(/\s+/g, ' '));
    expect(text).not.toMatch(/[\u200b-\u200f\ufeff]/);
  });

  it('shows words as words', async () => {
    const { html } = await render();
    expect(html).not.toContain('<img');
    expect(html).not.toMatch(/<[^>]*\sonerror/);
    if (SAMPLES[name].says.includes(MALICIOUS)) expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  it('fetches nothing, and leads nowhere but to the link it was given', async () => {
    const { html } = await render();
    expect(html).not.toMatch(/<(?:img|script|link|iframe|object|video|audio|form)\b|url\(|@import|@font-face|\bbackground="/i);
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
    for (const link of links) expect(link).toMatch(/^(?:https:\/\/feedback\.example\.com\/#|tel:|mailto:)/);
  });

  it('is made for 600 pixels, for light and for dark', async () => {
    const { html } = await render();
    expect(html).toContain('max-width:600px');
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    expect(html).toContain('lang="en"');
    expect(Buffer.byteLength(html)).toBeLessThan(20_000);
  });

  it('puts nobody’s words in the subject, the title or the first line', async () => {
    const { subject, html, text } = await render();
    expect(subject).toBe(bundle.subjectOf(name));
    const [, title = ''] = /<title>(.*?)<\/title>/.exec(html) ?? [];
    const [, seen = ''] = /data-skip-in-text="true"[^>]*>(.*?)<\/div>/.exec(html) ?? [];
    const beginning = text.split('\n').filter(Boolean).slice(0, 2).join(' ');
    for (const first of [subject, title, seen, beginning]) {
      expect(first).not.toBe('');
      expect(first).not.toMatch(/img|123456|[\r\n]/);
    }
  });
});

it('takes its colours from the dashboard’s', () => {
  const css = readFileSync(path.resolve(import.meta.dirname, '../dashboard/ui/tokens.css'), 'utf8');
  for (const colour of [...Object.values(LIGHT)]) expect(css).toContain(colour);
});
