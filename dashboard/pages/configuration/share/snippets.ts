import { EMOJI, RATINGS, type Rating } from '#contract/feedback/rating.ts';

/* What an owner copies into a website or a mail. */

/** How a form appears: in the page, in a dialog, or as faces in a mail. */
export type EmbedLook = 'inline' | 'button' | 'mail';

interface WebsiteSnippet {
  readonly look: Exclude<EmbedLook, 'mail'>;
  /** The form's address. */
  readonly address: string;
  readonly text: string;
  /** The script's address. */
  readonly script: string;
}

/** Returns the HTML for a website: a link that works alone, and the script that shows the form. */
export const websiteSnippet = ({ look, address, text, script }: WebsiteSnippet): string =>
  `<a href="${escaped(address)}" data-afterword="${look}">${escaped(text)}</a>\n<script async src="${escaped(script)}"></script>`;

export interface MailSnippet {
  /** Above the faces. */
  readonly text: string;
  /** The words of the five faces, from 1 to 5. */
  readonly words: readonly string[];
  readonly direction: 'ltr' | 'rtl';
  /** Returns the address that chooses a face. */
  readonly addressOf: (rating: Rating) => string;
}

/** Returns the HTML for a mail: a table, because mail programs lay out nothing else alike, with inline styles and no pictures. */
export function mailSnippet({ text, words, direction, addressOf }: MailSnippet): string {
  const cells = RATINGS.map(
    (rating) =>
      `    <td align="center" valign="top" width="20%"><a href="${escaped(addressOf(rating))}" style="display:block;padding:8px 2px;color:inherit;font:13px/20px sans-serif;text-decoration:none"><span aria-hidden="true" style="font-size:32px;line-height:44px">${EMOJI[rating]}</span><br>${escaped(words[rating - 1] ?? '')}</a></td>`,
  );
  return [
    `<p dir="${direction}" style="font:bold 18px/24px sans-serif">${escaped(text)}</p>`,
    `<table role="presentation" dir="${direction}" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:360px">`,
    '  <tr>',
    ...cells,
    '  </tr>',
    '</table>',
  ].join('\n');
}

/** Returns the text for a mail without HTML. */
export const plainMailSnippet = ({ text, words, addressOf }: MailSnippet): string =>
  [text, '', ...RATINGS.map((rating) => `${rating} ${words[rating - 1]}: ${addressOf(rating)}`)].join('\n');

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
