import { type Tally, total } from '#contract/feedback.ts';
import { addDays, calendarDay, type Range, startOfDay } from '#contract/time.ts';
import styles from './Sparkline.module.css';

const DAYS = 14;
const BAR = 8;
const HEIGHT = 32;

interface SparklineProps {
  readonly trend: readonly { readonly at: number; readonly ratings: Tally }[];
  readonly span: Range;
  readonly zone: string;
}

/** How many answers each of the last two weeks' days brought. Its numbers stand beside it in words. */
export function Sparkline({ trend, span: { to }, zone }: SparklineProps) {
  const tomorrow = calendarDay(to, zone);
  const days = Array.from({ length: DAYS }, (_, place) => startOfDay(addDays(tomorrow, place - DAYS), zone));
  const counts = days.map((at) => total(trend.find((bucket) => bucket.at === at)?.ratings ?? [0, 0, 0, 0, 0]));
  const most = Math.max(1, ...counts);
  return (
    <svg className={styles['bars']} viewBox={`0 0 ${DAYS * BAR} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {counts.map((count, place) => {
        const height = count === 0 ? 1 : (count / most) * HEIGHT;
        return (
          <rect
            key={days[place]}
            x={place * BAR + 1}
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
