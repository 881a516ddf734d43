import type { FormProps } from '#contract/form-page.ts';

/**
 * What this device remembers of a visit, in the history entry of its page: it outlives a refresh, going back and a restored
 * tab, and nobody gets it with the address. A page that is opened anew has none.
 */
export interface RememberedVisit extends Partial<Pick<FormProps, 'given' | 'left' | 'screen'>> {
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

/** Remembers a visit in the place of what was known of it. */
export function remember(visit: RememberedVisit): void {
  try {
    history.replaceState(visit, '');
  } catch {
    // A browser that is asked too often refuses for a while; the next change is remembered.
  }
}
