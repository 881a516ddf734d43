/* Where the focus goes between a row and what it opens. */

export const ROW = 'data-feedback-row';
/** A dialog that the feed's own keys reach into: the open feedback on a phone. */
export const KEYS_PASS = 'data-keys-pass';
export const DETAIL_HEADING = 'feedback-heading';

/** A row has its feedback's id. */
export const focusRow = (id: string): void => document.getElementById(id)?.focus();

export const focusedRow = (): string | undefined => document.activeElement?.closest(`[${ROW}]`)?.id;

/** Once it is drawn. */
export const focusDetail = (): void => void requestAnimationFrame(() => document.getElementById(DETAIL_HEADING)?.focus());
