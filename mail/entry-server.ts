import { render, toPlainText } from '@react-email/render';
import { createElement } from 'react';
import { spokenIn } from '#contract/language/team-words.ts';
import { inEnglish, translator } from '#contract/language/translate.ts';
import type { MailBundle } from '#contract/mail/mail.ts';
import { codePicture } from './code-picture.ts';
import { Support } from './Frame.tsx';
import { MailLanguage } from './language.tsx';
import { Look } from './look.ts';
import { MAILS } from './mails.ts';

export const bundle: MailBundle = {
  // The keys are the names of the emails.
  names: Object.keys(MAILS) as (keyof typeof MAILS)[],
  async renderMail(name, props, { support, language, look } = {}) {
    const { subject, subjectFor, codeFor, Body } = MAILS[name];
    const spoken = spokenIn(language);
    const t = translator(() => spoken);
    const body = createElement(Look, { value: look }, createElement(MailLanguage, { value: spoken }, createElement(Body, props)));
    const html = await render(createElement(Support, { value: support }, body));
    const [code, logo] = [codeFor?.(props), look?.logo];
    const pictures = [
      ...(code === undefined ? [] : [{ name: 'code', content: codePicture(code) }]),
      ...(logo === undefined ? [] : [{ name: 'logo', content: contentOf(logo.picture) }]),
    ];
    const { leave } = props as { readonly leave?: string };
    return {
      subject: subjectFor?.(t, props) ?? t(subject),
      html,
      text: toPlainText(html, { selectors: TEXT, wordwrap: 78 }),
      ...(leave !== undefined && { leave }),
      ...(pictures.length > 0 && { pictures }),
    };
  },
  subjectOf: (name) => inEnglish(MAILS[name].subject),
};

/** Returns the content of a data URL. */
const contentOf = (url: string): Uint8Array => Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');

/** Plain text shows a button as its words and its URL. */
const TEXT = [
  { selector: 'a', options: { linkBrackets: false as const, hideLinkHrefIfSameAsText: true } },
  // The link's text is part of its row.
  { selector: 'a.in-row', format: 'anchor', options: { ignoreHref: true } },
  { selector: 'table.rows', format: 'dataTable', options: { colSpacing: 2, maxColumnWidth: 50 } },
  { selector: 'h1', options: { uppercase: false } },
  { selector: 'h2', options: { uppercase: false } },
];
