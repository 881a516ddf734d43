import { ROW } from '../../frame/shortcuts.ts';

/* Where the focus goes between a row and what it opens. */

export const DETAIL_HEADING = 'feedback-heading';

/** A row has its feedback's id. */
export const focusRow = (id: string): void => document.getElementById(id)?.focus();

export const focusedRow = (): string | undefined => document.activeElement?.closest(`[${ROW}]`)?.id;

/** Once it is drawn. */
export const focusDetail = (): void => void requestAnimationFrame(() => document.getElementById(DETAIL_HEADING)?.focus());
