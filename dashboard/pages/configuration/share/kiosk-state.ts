import { HOUR } from '#contract/core/time.ts';
import { isSilent, SILENCE } from '#contract/kiosk/hours.ts';
import type { Kiosk } from '#contract/kiosk/kiosk.ts';
import { type Property, zoneOf } from '#contract/property/property.ts';
import { t } from '../../../language.ts';
import { ago, clock } from '../../../ui/format/time.ts';

/** The state of a kiosk's tablet in a few words. */
interface TabletState {
  readonly label: string;
  readonly tone: 'plain' | 'ok' | 'bad';
}

/** Returns the state of a kiosk's tablet at a time (UTC ms). A tablet may be off outside opening hours. */
export function tabletState({ data: { paired, seen, silent, hours } }: Kiosk, property: Property, now: number): TabletState {
  if (paired === undefined) return { label: t('Not paired'), tone: 'plain' };
  const last = seen ?? paired;
  if (silent !== undefined || isSilent(hours, { seen: last, now, zone: zoneOf(property) }))
    return { label: t('Silent since {time}', { time: timeOf(silent ?? last, property, now) }), tone: 'bad' };
  return now - last > SILENCE
    ? { label: t('Last seen {time}', { time: timeOf(last, property, now) }), tone: 'plain' }
    : { label: t('Online'), tone: 'ok' };
}

/** How long (ms) a time is shown without its day. */
const SAME_DAY = 12 * HOUR;

/** Returns "14:20", or with the day for earlier times. */
function timeOf(at: number, { data: { timeZone } }: Property, now: number): string {
  return now - at < SAME_DAY ? clock(at, timeZone) : ago(at, now, timeZone);
}

/** Returns "12 answers waiting on the tablet"; undefined if none do. */
export const waitingText = ({ data: { waiting = 0 } }: Kiosk): string | undefined =>
  waiting === 0 ? undefined : t.count(waiting, '{count} answer waiting on the tablet', '{count} answers waiting on the tablet');
