import type { ListedAlert } from '#contract/notification/notification.ts';
import { t } from '../../../language.ts';

/* The server stores each decision about an alert in English, with its details (server/notification/policy/decision.ts). */

/** Returns the decision in the dashboard's language, including that no device could show the alert. */
export function alertResult({ decision, devices }: Pick<ListedAlert, 'decision' | 'devices'>): string {
  switch (decision) {
    case undefined:
      return t('being sent');
    case 'sent':
      return devices === 0 ? t('sent by email only; no device shows their notifications') : t('sent');
    case 'sent in a digest':
      return t('sent in a digest');
    case 'deleted':
      return t('deleted');
    case 'suspected':
      return t('suspected');
    case 'no longer urgent':
      return t('no longer urgent');
    case 'unknown':
      return t('unknown');
    default:
      return withDetails(decision);
  }
}

function withDetails(decision: string): string {
  const [, time] = /^held: quiet hours until (.+)$/.exec(decision) ?? [];
  if (time !== undefined) return t('held: quiet hours until {time}', { time });
  const [, most, digest] = /^over (\d+) this hour: in the digest at (.+)$/.exec(decision) ?? [];
  if (most !== undefined && digest !== undefined) return t('over {most} this hour: in the digest at {time}', { most, time: digest });
  const [, name] = /^already opened by (.+)$/.exec(decision) ?? [];
  return name === undefined ? decision : t('already opened by {name}', { name });
}
