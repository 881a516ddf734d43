import type { Draft, FormProps, Origin } from '#contract/form/form-page.ts';
import { canBeAmended } from '#contract/form/submission.ts';
import type { SendOutcome } from './send.ts';

/** Where the answers of a visit are: on their way, at the server, or still here (send.ts). */
export type AnswerStanding = 'sending' | Exclude<SendOutcome['kind'], 'refused'>;

/**
 * What this device remembers of a visit, in the history entry of its page: it outlives a refresh, going back and a restored
 * tab, and nobody gets it with the address. A page that is opened anew has none.
 */
export interface RememberedVisit extends Origin, Partial<Pick<FormProps, 'given' | 'left' | 'screen'>> {
  /** What became of what was sent; undefined before anything was. */
  readonly standing?: AnswerStanding | undefined;
  /** What was sent, as it was sent. */
  readonly sent?: readonly Draft[] | undefined;
  /** What the business names the visitor by in its link. */
  readonly userId?: string | undefined;
  /** The submission's key. */
  readonly key: string;
  /** When a face was chosen first (UTC ms, by this device's clock). */
  readonly since?: number | undefined;
  /** Whether the page goes on with a visit of before, rather than one that began with it. */
  readonly isResumed?: boolean;
  /** Whether the page's former visit lies so far back that this is another one. */
  readonly isNew?: boolean;
}

/** The visit of this page: early.ts has begun or found it. */
export function rememberedVisit(): RememberedVisit | undefined {
  const visit = history.state as RememberedVisit | null;
  return typeof visit?.key === 'string' ? visit : undefined;
}

/** Whether a visit's answers can no longer be changed, so that what is given now begins another. */
export const isOver = (since: number | undefined): boolean => since !== undefined && !canBeAmended(since, Date.now());

/** 128 random bits. Works where pages are not secure, too, as `crypto.randomUUID` does not. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Remembers a visit in the place of what was known of it; at another address of this page, if one is given. */
export function remember(visit: RememberedVisit, path?: string): void {
  try {
    history.replaceState(visit, '', path);
  } catch {
    // A browser that is asked too often refuses for a while; the next change is remembered.
  }
}
