import type { FieldError } from '#contract/core/errors.ts';
import type { Answer, SentInput } from '#contract/core/operation.ts';
import type { Services } from '#contract/services.ts';
import { timeoutAfter } from '../form/timeout.ts';

type KioskActions = Services['kiosk'];
type TabletAction = 'pair' | 'report' | 'deliver' | 'leave';
type TabletAnswer<Action extends TabletAction> = Extract<Answer<KioskActions[Action]>, { status: 'ok' }>;

/** The server's answer: a result, a refusal with its status (404 for a missing record), or none within the deadline. */
export type CallOutcome<Action extends TabletAction> =
  | { readonly kind: 'answered'; readonly answer: TabletAnswer<Action> }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly errors: readonly FieldError[];
    }
  | { readonly kind: 'away' };

/** How long a call may take (ms). */
const DEADLINE = 20_000;

/** Calls an operation of the tablet. Never throws. */
export async function call<Action extends TabletAction>(
  action: Action,
  input: SentInput<KioskActions[Action]>,
): Promise<CallOutcome<Action>> {
  try {
    const response = await fetch('/api/data', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ service: 'kiosk', action, ...input }),
      signal: timeoutAfter(DEADLINE),
    });
    // A proxy may refuse a large request too.
    if (response.status === 413) return { kind: 'refused', status: 413, code: 'too-large', message: '', errors: [] };
    const body = (await response.json()) as TabletAnswer<Action> & { code?: string; title?: string; errors?: FieldError[] };
    if (response.ok) return { kind: 'answered', answer: body };
    const { code = '', title = 'Something went wrong. Please try again.', errors = [] } = body;
    return { kind: 'refused', status: response.status, code, message: errors[0]?.message ?? title, errors };
  } catch {
    return { kind: 'away' };
  }
}
