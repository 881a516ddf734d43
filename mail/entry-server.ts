import { render, toPlainText } from '@react-email/render';
import { createElement } from 'react';
import type { MailBundle } from '#contract/mail.ts';
import { MAILS } from './mails.ts';

export const bundle: MailBundle = {
  // The table has each mail once, by its name.
  names: Object.keys(MAILS) as (keyof typeof MAILS)[],
  async renderMail(name, props) {
    const { subject, Body } = MAILS[name];
    const html = await render(createElement(Body, props));
    return { subject, html, text: toPlainText(html, { selectors: TEXT, wordwrap: 78 }) };
  },
  subjectOf: (name) => MAILS[name].subject,
};

/** A button and the address below it are one link in a text: the address, once. */
const TEXT = [
  { selector: 'a', options: { linkBrackets: false as const, hideLinkHrefIfSameAsText: true } },
  { selector: 'h1', options: { uppercase: false } },
];
