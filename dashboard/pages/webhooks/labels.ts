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

export const EVENT_LABELS: Readonly<Record<WebhookEvent | typeof TEST_EVENT, string>> = {
  'feedback.created': 'New feedback',
  'feedback.amended': 'Feedback changed by its visitor',
  'feedback.urgent': 'Urgent feedback',
  'feedback.erased': 'Words deleted by a visitor',
  'comment.created': 'New comment',
  [TEST_EVENT]: 'Test',
};

export const FORMAT_LABELS: Readonly<Record<WebhookFormat, string>> = { standard: 'Standard Webhooks', slack: 'Slack', teams: 'Teams' };

interface WebhookState {
  readonly label: string;
  readonly tone: 'accent' | 'warn' | 'bad' | undefined;
}

/** Returns the label of a webhook's state. */
export function stateOf({ data: { isOn, isGone, failingSince } }: Webhook): WebhookState {
  if (isGone) return { label: t('Receiver gone'), tone: 'bad' };
  if (!isOn) return { label: 'Off', tone: undefined };
  return failingSince === undefined ? { label: 'On', tone: 'accent' } : { label: 'Failing', tone: 'bad' };
}

/** Returns the label of a message's state. A waiting message without a next attempt is being sent right now. */
export const messageStateOf = ({ data: { status, next } }: WebhookDelivery): WebhookState =>
  status === 'waiting' && next === undefined ? { label: t('Being sent'), tone: 'warn' } : DELIVERY_STATES[status];

const DELIVERY_STATES: Readonly<Record<WebhookDelivery['data']['status'], WebhookState>> = {
  waiting: { label: 'Waiting', tone: 'warn' },
  delivered: { label: 'Delivered', tone: 'accent' },
  failed: { label: 'Failed', tone: 'bad' },
};

/** Returns an attempt in words: "Status 500, after 210 ms." */
export function attemptText({ status, error = 'broken-off', duration }: WebhookAttempt): string {
  // For these errors the duration means nothing.
  if (error === 'lost-secret' || error === 'cut-off') return WEBHOOK_ERRORS[error];
  return `${status === undefined ? WEBHOOK_ERRORS[error].replace(/\.$/, '') : `Status ${status}`}, after ${inWords(duration)}.`;
}

const inWords = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`);
