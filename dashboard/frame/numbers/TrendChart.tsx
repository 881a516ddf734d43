import { AxisBottom, AxisLeft } from '@visx/axis';
import { scaleBand, scaleLinear, scaleOrdinal } from '@visx/scale';
import { BarStack } from '@visx/shape';
import { TooltipWithBounds } from '@visx/tooltip';
import { type FocusEvent, type KeyboardEvent, type PointerEvent, useState } from 'react';
import type { Grain } from '#contract/feedback/feedback.ts';
import { RATINGS } from '#contract/feedback/rating.ts';
import { total } from '#contract/feedback/tally.ts';
import { translatable } from '#contract/language/translate.ts';
import { t } from '../../language.ts';
import { formatCount } from '../../ui/format/number.ts';
import { ratingWord } from '../../ui/format/rating.ts';
import { useElementSize } from '../../ui/theme/mantine.ts';
import styles from './TrendChart.module.css';
import { bucketLabel, describeBucket, type TrendBucket } from './trend.ts';

interface TrendChartProps {
  readonly buckets: readonly TrendBucket[];
  readonly grain: Grain;
  /** The ratings of the matching bars in the previous period, drawn as a line. */
  readonly before?: readonly (number | undefined)[] | undefined;
  /** The page also shows the same numbers as a table. */
  readonly hasTable?: boolean;
}

const LEFT = 32;
const BOTTOM = 20;
const TOP = 6;
const GAP = 1.5;
const color = scaleOrdinal<number, string>({ domain: [...RATINGS], range: RATINGS.map((rating) => `var(--c-r${rating})`) });

/** Shows ratings over time as stacked bars, the worst at the bottom. One tab stop: the arrows move between bars. */
export function TrendChart({ buckets, grain, before = NO_BARS, hasTable = false }: TrendChartProps) {
  const { ref, width, height } = useElementSize();
  const scales = scalesOf(buckets, before, { width, height });
  const { at, shown, ...handlers } = useShownBar(buckets, scales.x.step());
  const left = shown && (scales.x(shown.at) ?? 0) + scales.x.bandwidth() / 2;
  return (
    <>
      <div
        ref={ref}
        role="slider"
        tabIndex={0}
        className={styles['plot']}
        aria-label={t(CAPTIONS[grain])}
        aria-valuemin={0}
        aria-valuemax={buckets.length - 1}
        aria-valuenow={at ?? buckets.length - 1}
        aria-valuetext={describeBucket(shown ?? buckets.at(-1), grain, before[at ?? buckets.length - 1])}
        {...handlers}
      >
        {width > 0 && <Bars buckets={buckets} before={before} grain={grain} scales={scales} shown={shown} size={{ width, height }} />}
        {shown && <BarTooltip key={at} bucket={shown} before={before[at ?? 0]} grain={grain} left={left ?? 0} />}
      </div>
      {!hasTable && (
        <div className="visually-hidden">
          <TrendTable buckets={buckets} grain={grain} />
        </div>
      )}
    </>
  );
}

/** Tracks the bar under the pointer or keyboard. */
function useShownBar(buckets: readonly TrendBucket[], step: number) {
  const [at, setAt] = useState<number>();
  const last = buckets.length - 1;
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent) => {
    const index = Math.floor((clientX - currentTarget.getBoundingClientRect().left - LEFT) / step);
    setAt(index >= 0 && index <= last ? index : undefined);
  };
  return {
    at,
    shown: at === undefined ? undefined : buckets[at],
    onPointerMove,
    onPointerDown: onPointerMove,
    onPointerLeave: () => setAt(undefined),
    onFocus: ({ currentTarget }: FocusEvent) => currentTarget.matches(':focus-visible') && setAt(at ?? last),
    onBlur: () => setAt(undefined),
    onKeyDown(event: KeyboardEvent) {
      const next = nextBar(event.key, at ?? last, buckets.length);
      if (event.key === 'Escape') setAt(undefined);
      if (next === undefined) return;
      event.preventDefault();
      setAt(next);
    },
  };
}

const NO_BARS: readonly number[] = [];

interface BarsProps extends Pick<TrendChartProps, 'buckets' | 'grain'> {
  readonly before: readonly (number | undefined)[];
  readonly scales: ReturnType<typeof scalesOf>;
  readonly shown: TrendBucket | undefined;
  readonly size: { readonly width: number; readonly height: number };
}

function Bars({ buckets, before, grain, scales: { x, y }, shown, size: { width, height } }: BarsProps) {
  return (
    <svg width={width} height={height} aria-hidden="true">
      {shown && <rect className={styles['band']} x={x(shown.at)} width={x.bandwidth()} y={0} height={height - BOTTOM} />}
      <BarStack
        data={[...buckets]}
        keys={[...RATINGS]}
        value={({ ratings }, rating) => ratings[rating - 1] ?? 0}
        x={({ at: from }) => from}
        xScale={x}
        yScale={y}
        color={color}
      >
        {(stacks) =>
          stacks.map(({ key, bars }) =>
            bars
              .filter((bar) => bar.height > 0)
              .map((bar) => (
                <rect
                  key={`${key}-${bar.index}`}
                  x={bar.x + bar.width * 0.12}
                  y={bar.y}
                  width={bar.width * 0.76}
                  height={Math.max(1, bar.height - GAP)}
                  rx={1.5}
                  className={styles['bar']}
                  fill={bar.color}
                />
              )),
          )
        }
      </BarStack>
      {buckets.map(({ at }, index) => {
        const count = before[index];
        return count === undefined ? null : (
          <line key={at} className={styles['before']} x1={x(at)} x2={(x(at) ?? 0) + x.bandwidth()} y1={y(count)} y2={y(count)} />
        );
      })}
      <AxisLeft
        left={LEFT}
        scale={y}
        tickValues={levelsOf(y)}
        tickFormat={String}
        hideTicks
        axisLineClassName={styles['line'] ?? ''}
        tickLabelProps={{ className: styles['label'] ?? '', dx: '-0.3em', dy: '0.3em', textAnchor: 'end' }}
      />
      <AxisBottom
        top={height - BOTTOM}
        scale={x}
        tickValues={ticksOf(buckets, width)}
        tickFormat={(from) => bucketLabel(from, grain)}
        hideTicks
        axisLineClassName={styles['line'] ?? ''}
        tickLabelProps={{ className: styles['label'] ?? '', dy: '-0.1em', textAnchor: 'middle' }}
      />
    </svg>
  );
}

function scalesOf(
  buckets: readonly TrendBucket[],
  before: readonly (number | undefined)[],
  { width, height }: { width: number; height: number },
) {
  const most = Math.max(4, ...buckets.map(({ ratings }) => total(ratings)), ...before.map((count = 0) => count));
  return {
    x: scaleBand<number>({ domain: buckets.map(({ at }) => at), range: [LEFT, width] }),
    y: scaleLinear<number>({ domain: [0, most], range: [height - BOTTOM, TOP] }),
  };
}

/** Returns ticks at zero, at the highest count, and in the middle if that is a whole number. */
function levelsOf(y: ReturnType<typeof scalesOf>['y']): number[] {
  const [none = 0, most = 0] = y.domain();
  return most % 2 === 0 ? [none, most / 2, most] : [none, most];
}

const LABEL_WIDTH = 64;

/** Returns evenly spaced bars to label, counted from the end, so that the labels don’t touch. */
function ticksOf(buckets: readonly TrendBucket[], width: number): number[] {
  const every = Math.max(1, Math.ceil((buckets.length * LABEL_WIDTH) / Math.max(1, width - LEFT)));
  const offset = Math.floor(every / 2);
  return buckets.filter((_, index) => (buckets.length - 1 - index - offset) % every === 0).map(({ at }) => at);
}

function nextBar(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, at - 1);
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(count - 1, at + 1);
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return undefined;
}

interface BarTooltipProps {
  readonly bucket: TrendBucket;
  readonly before: number | undefined;
  readonly grain: Grain;
  readonly left: number;
}

function BarTooltip({ bucket: { at, ratings }, before, grain, left }: BarTooltipProps) {
  return (
    <TooltipWithBounds left={left} top={0} offsetTop={4} unstyled applyPositionStyle className={styles['tooltip'] ?? ''} aria-hidden>
      <strong>{bucketLabel(at, grain, 'long')}</strong>
      {total(ratings) === 0 && <span>{t('No ratings')}</span>}
      {RATINGS.toReversed().map((rating) =>
        ratings[rating - 1] ? (
          <span key={rating} className={styles['count']} data-rating={rating}>
            {ratingWord(rating)} <b>{formatCount(ratings[rating - 1] ?? 0)}</b>
          </span>
        ) : null,
      )}
      {before !== undefined && (
        <span className={styles['past']}>
          {t('Previous period')} <b>{formatCount(before)}</b>
        </span>
      )}
    </TooltipWithBounds>
  );
}

/** Shows the chart as a table. */
export function TrendTable({ buckets, grain, before = NO_BARS }: Pick<TrendChartProps, 'buckets' | 'grain' | 'before'>) {
  return (
    <table>
      <caption>{t(CAPTIONS[grain])}</caption>
      <thead>
        <tr>
          <th scope="col">{t(GRAIN_NAMES[grain])}</th>
          {RATINGS.map((rating) => (
            <th key={rating} scope="col">
              {ratingWord(rating)}
            </th>
          ))}
          {before.length > 0 && (
            <>
              <th scope="col">{t('All')}</th>
              <th scope="col">{t('Previous period')}</th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {buckets.map(({ at, ratings }, index) => (
          <tr key={at}>
            <th scope="row">{bucketLabel(at, grain, 'long')}</th>
            {RATINGS.map((rating) => (
              <td key={rating}>{formatCount(ratings[rating - 1] ?? 0)}</td>
            ))}
            {before.length > 0 && (
              <>
                <td>{formatCount(total(ratings))}</td>
                <td>{before[index] === undefined ? '–' : formatCount(before[index])}</td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const GRAIN_NAMES = translatable({ hour: 'Hour', day: 'Day', month: 'Month' });
const CAPTIONS = translatable({ hour: 'Ratings by hour', day: 'Ratings by day', month: 'Ratings by month' });
