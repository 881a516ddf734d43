import { csvSheet } from './csv.ts';
import type { WriteSheet } from './table.ts';
import { xlsxSheet } from './xlsx.ts';

export const SHEET_FORMATS = ['csv', 'xlsx'] as const;
export type SheetFormat = (typeof SHEET_FORMATS)[number];

/** The writer of each format. */
export const WRITE_SHEET: Readonly<Record<SheetFormat, WriteSheet>> = { csv: csvSheet, xlsx: xlsxSheet };
