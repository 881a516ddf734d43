import { translatable, type Untranslated } from '#contract/language/translate.ts';
import {
  TEST_EVENT,
  WEBHOOK_ERRORS,
  type Webhook,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookFormat,
} from '#contract/webhook/webhook.ts';
import { t } from '../../language.ts';
import { decimal } from '../../ui/format/number.ts';

export const EVENT_LABELS = translatable({
  'feedback.created': 'New feedback',
  'feedback.amended': 'Feedback changed by its visitor',
  'feedback.urgent': 'Urgent feedback',
  'feedback.erased': 'Words deleted by a visitor',
  'comment.created': 'New comment',
  [TEST_EVENT]: 'Test',
} satisfies Record<WebhookEvent | typeof TEST_EVENT, string>);

/** Names, which aren't translated. */
export const FORMAT_LABELS: Readonly<Record<WebhookFormat, string>> = { standard: 'Standard Webhooks', slack: 'Slack', teams: 'Teams' };

interface WebhookState {
  readonly label: string;
  readonly tone: 'accent' | 'warn' | 'bad' | undefined;
}

/** Returns the label of a webhook's state. */
export function stateOf({ data: { isOn, isGone, failingSince } }: Webhook): WebhookState {
  if (isGone) return { label: t('Receiver gone'), tone: 'bad' };
  if (!isOn) return { label: t.in('webhook', 'Off'), tone: undefined };
  return failingSince === undefined ? { label: t.in('webhook', 'On'), tone: 'accent' } : { label: t('Failing'), tone: 'bad' };
}

/** Returns the label of a message's state. A waiting message without a next attempt is being sent right now. */
export function messageStateOf({ data: { status, next } }: WebhookDelivery): WebhookState {
  if (status === 'waiting' && next === undefined) return { label: t('Being sent'), tone: 'warn' };
  const { label, tone } = DELIVERY_STATES[status];
  return { label: t(label), tone };
}

const DELIVERY_STATES: Readonly<Record<WebhookDelivery['data']['status'], { label: Untranslated; tone: WebhookState['tone'] }>> = {
  waiting: { label: translatable('Waiting'), tone: 'warn' },
  delivered: { label: translatable('Delivered'), tone: 'accent' },
  failed: { label: translatable('Failed'), tone: 'bad' },
};

/** Returns an attempt in words: "Status 500, after 210 ms." */
export function attemptText({ status, error = 'broken-off', duration }: WebhookAttempt): string {
  // For these errors the duration means nothing.
  if (error === 'lost-secret' || error === 'cut-off') return t(WEBHOOK_ERRORS[error]);
  const values = { duration: inWords(duration) };
  return status === undefined
    ? t('{problem}, after {duration}.', { ...values, problem: t(WEBHOOK_ERRORS[error]).replace(/\.$/, '') })
    : t('Status {status}, after {duration}.', { ...values, status: String(status) });
}

const inWords = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${decimal(ms / 1_000)} s`);
