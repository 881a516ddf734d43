import { render, toPlainText } from '@react-email/render';
import { createElement } from 'react';
import type { MailBundle } from '#contract/mail/mail.ts';
import { Support } from './Frame.tsx';
import { MAILS } from './mails.ts';

export const bundle: MailBundle = {
  // The table has each mail once, by its name.
  names: Object.keys(MAILS) as (keyof typeof MAILS)[],
  async renderMail(name, props, { support } = {}) {
    const { subject, subjectFor, Body } = MAILS[name];
    const html = await render(createElement(Support, { value: support }, createElement(Body, props)));
    const { leave } = props as { readonly leave?: string };
    return {
      subject: subjectFor?.(props) ?? subject,
      html,
      text: toPlainText(html, { selectors: TEXT, wordwrap: 78 }),
      ...(leave !== undefined && { leave }),
    };
  },
  subjectOf: (name) => MAILS[name].subject,
};

/** A button and the address below it are one link in a text: the address, once. */
const TEXT = [
  { selector: 'a', options: { linkBrackets: false as const, hideLinkHrefIfSameAsText: true } },
  // Its words are one with their row.
  { selector: 'a.in-row', format: 'anchor', options: { ignoreHref: true } },
  { selector: 'table.rows', format: 'dataTable', options: { colSpacing: 2, maxColumnWidth: 50 } },
  { selector: 'h1', options: { uppercase: false } },
  { selector: 'h2', options: { uppercase: false } },
];
