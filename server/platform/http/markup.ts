/** Markup, as opposed to text that must be escaped. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type HtmlPart = string | number | Html | readonly Html[];

/** Returns markup from a template; values are escaped unless they are markup themselves. */
export const html = (strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html =>
  new Html(strings.reduce((all, each, index) => `${all}${markupOf(parts[index - 1] ?? '')}${each}`));

function markupOf(part: HtmlPart): string {
  if (part instanceof Html) return part.markup;
  if (typeof part === 'object') return part.map(({ markup }) => markup).join('');
  return escaped(String(part));
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Returns text as markup. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => ESCAPES[letter] ?? letter);

/** Returns markup that another library made. */
export const trusted = (markup: string): Html => new Html(markup);

/** Returns text as markup, with web addresses as links. */
export const linked = (text: string): Html =>
  new Html(escaped(text).replace(/\bhttps?:\/\/[^\s<>"]+/g, (address) => `<a href="${address}">${address}</a>`));
