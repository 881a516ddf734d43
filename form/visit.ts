import type { Draft, FormProps, Origin } from '#contract/form/form-page.ts';
import { canBeAmended } from '#contract/form/submission.ts';
import type { SendOutcome } from './send.ts';

/** The status of a visit's answers: being sent, accepted, or still here (send.ts). */
export type AnswerStatus = 'sending' | Exclude<SendOutcome['kind'], 'refused'>;

/**
 * A visit as remembered in its page's history entry, which survives a refresh, going back and a restored tab, and isn't part of the
 * address. A newly opened page has none.
 */
export interface RememberedVisit extends Origin, Partial<Pick<FormProps, 'given' | 'left' | 'screen'>> {
  /** The status of the answers; undefined before any were sent. */
  readonly standing?: AnswerStatus | undefined;
  /** The answers as they were sent. */
  readonly sent?: readonly Draft[] | undefined;
  /** The visitor's id in the business's link. */
  readonly userId?: string | undefined;
  /** The submission's key. */
  readonly key: string;
  /** When a face was first chosen (UTC ms on this device's clock). */
  readonly since?: number | undefined;
  /** The page continues an earlier visit. */
  readonly isResumed?: boolean;
  /** This visit replaces one whose hour is over. */
  readonly isNew?: boolean;
}

/** Returns this page's visit, which early.ts has started or continued. */
export function rememberedVisit(): RememberedVisit | undefined {
  const visit = history.state as RememberedVisit | null;
  return typeof visit?.key === 'string' ? visit : undefined;
}

/** Returns true if a visit's answers can no longer be changed. */
export const isOver = (since: number | undefined): boolean => since !== undefined && !canBeAmended(since, Date.now());

/** Remembers a visit, and changes the page's address if a path is given. */
export function remember(visit: RememberedVisit, path?: string): void {
  try {
    history.replaceState(visit, '', path);
  } catch {
    // Browsers limit how often this can be called. The next change is remembered.
  }
}
