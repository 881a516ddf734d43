import { addDays, calendarDay, startOfDay } from '#contract/core/time.ts';
import { total } from '#contract/feedback/feedback.ts';
import type { PropertyCounts } from './list.ts';
import styles from './Trend.module.css';

const DAYS = 14;
const BAR = 8;
const HEIGHT = 24;

interface TrendProps {
  readonly counts: PropertyCounts | undefined;
  readonly to: number;
  readonly zone: string;
}

/** The ratings of each of the last 14 days, as bars. Hidden from screen readers; the row has the numbers. */
export function Trend({ counts, to, zone }: TrendProps) {
  const tomorrow = calendarDay(to, zone);
  const days = Array.from({ length: DAYS }, (_, index) => startOfDay(addDays(tomorrow, index - DAYS), zone));
  const numbers = days.map((at) => total(counts?.trend.find((bucket) => bucket.at === at)?.ratings ?? [0, 0, 0, 0, 0]));
  const most = Math.max(1, ...numbers);
  return (
    <svg className={styles['bars']} viewBox={`0 0 ${DAYS * BAR} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {numbers.map((count, index) => {
        const height = count === 0 ? 1 : (count / most) * HEIGHT;
        return (
          <rect
            key={days[index]}
            x={index * BAR + 1}
            y={HEIGHT - height}
            width={BAR - 2}
            height={height}
            rx={1}
            data-none={count === 0 || undefined}
          />
        );
      })}
    </svg>
  );
}
