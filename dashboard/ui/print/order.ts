import type { LanguageTag } from '#contract/language/languages.ts';

const PRINTS = ['poster', 'tent', 'sticker'] as const;
export type PrintKind = (typeof PRINTS)[number];
export const PAPERS = ['A4', 'A6', 'Letter'] as const;
export type PaperName = (typeof PAPERS)[number];

/** The number of 50 × 62 mm stickers on a page. */
const STICKERS: Readonly<Record<PaperName, number>> = { A4: 16, A6: 4, Letter: 16 };

/** The words on a sheet. */
export interface SheetWords {
  /** The property's name. */
  readonly place: string;
  /** The code's spot, such as 'Table 4'. */
  readonly placement?: string | undefined;
  readonly question: string;
  /** The address in the code. */
  readonly address: string;
}

/** The business's logo, on every sheet with room for it. */
interface SheetLogo {
  /** A data URL. */
  readonly picture: string;
  readonly alt: string;
}

/** Pages to print. */
export interface PrintOrder {
  readonly kind: PrintKind;
  readonly paper: PaperName;
  /** One page each; of stickers as many as fit on a page. */
  readonly sheets: readonly SheetWords[];
  readonly logo: SheetLogo | undefined;
  /** The form's language, which is the visitors'. */
  readonly language: LanguageTag;
  /** The suggested name of a PDF file. */
  readonly fileName: string;
}

/** Returns what each page shows. A single sticker fills a page; several are on it once each. */
export function pagesOf({ kind, paper, sheets }: Pick<PrintOrder, 'kind' | 'paper' | 'sheets'>): SheetWords[][] {
  if (kind !== 'sticker') return sheets.map((words) => [words]);
  const size = STICKERS[paper];
  const [only] = sheets;
  if (only && sheets.length === 1) return [Array.from({ length: size }, () => only)];
  return Array.from({ length: Math.ceil(sheets.length / size) }, (_, page) => sheets.slice(page * size, (page + 1) * size));
}

/** Returns the usual paper size for the browser's language. */
export const usualPaper = (language = navigator.language): PaperName => (/-(?:US|CA|MX|PH|CL|CO)\b/.test(language) ? 'Letter' : 'A4');
