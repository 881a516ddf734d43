import { SignInError } from '../session/errors.ts';
import { CallError } from './client.ts';

export const UNREACHED = 'We can’t reach the server. Check your connection and try again.';
const BROKEN = 'Something went wrong. Please try again.';

/** What to tell a person of something that failed: the service's own words (SPEC §8), but for a network that is not there. */
export function inWords(error: unknown): string {
  if (error instanceof SignInError) return error.isOffline ? UNREACHED : error.message;
  if (error instanceof CallError) return error.status === 0 ? UNREACHED : error.message;
  // A request that was given up for taking too long.
  return error instanceof DOMException ? UNREACHED : BROKEN;
}

/** What the server says of one field, by the end of its path: `displayName` for `payload.data.displayName`. */
export function fieldProblem(error: unknown, field: string): string | undefined {
  if (!(error instanceof CallError)) return undefined;
  return error.errors.find(({ path }) => path === field || path.endsWith(`.${field}`))?.message;
}

/** The state of things is not what the page thought: somebody was faster, or an answer was lost. */
export const isConflict = (error: unknown): boolean => error instanceof CallError && error.status === 409;
