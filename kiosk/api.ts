import type { Answer, SentInput } from '#contract/core/operation.ts';
import type { Services } from '#contract/services.ts';

type KioskActions = Services['kiosk'];
type TabletAction = 'pair' | 'report' | 'deliver' | 'leave';
type TabletAnswer<Action extends TabletAction> = Extract<Answer<KioskActions[Action]>, { status: 'ok' }>;

/** The server's answer: a result, a refusal with its status (404 for a missing record), or none within the deadline. */
export type CallOutcome<Action extends TabletAction> =
  | { readonly kind: 'answered'; readonly answer: TabletAnswer<Action> }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly message: string }
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
      signal: AbortSignal.timeout(DEADLINE),
    });
    const body = (await response.json()) as TabletAnswer<Action> & { code?: string; title?: string; errors?: { message: string }[] };
    if (response.ok) return { kind: 'answered', answer: body };
    const message = body.errors?.[0]?.message ?? body.title ?? 'Something went wrong. Please try again.';
    return { kind: 'refused', status: response.status, code: body.code ?? '', message };
  } catch {
    return { kind: 'away' };
  }
}
