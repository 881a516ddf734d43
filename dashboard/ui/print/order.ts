const PRINTS = ['poster', 'tent', 'sticker'] as const;
export type PrintKind = (typeof PRINTS)[number];
export const PAPERS = ['A4', 'A6', 'Letter'] as const;
export type PaperName = (typeof PAPERS)[number];

/** The number of 50 × 62 mm stickers on a page. */
export const STICKERS: Readonly<Record<PaperName, number>> = { A4: 16, A6: 4, Letter: 16 };

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

/** Pages to print. */
export interface PrintOrder {
  readonly kind: PrintKind;
  readonly paper: PaperName;
  /** One page each. */
  readonly sheets: readonly SheetWords[];
  /** The suggested name of a PDF file. */
  readonly fileName: string;
}

/** Returns the usual paper size for the browser's language. */
export const usualPaper = (language = navigator.language): PaperName => (/-(?:US|CA|MX|PH|CL|CO)\b/.test(language) ? 'Letter' : 'A4');
