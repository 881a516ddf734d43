import { AxisBottom, AxisLeft } from '@visx/axis';
import { scaleBand, scaleLinear, scaleOrdinal } from '@visx/scale';
import { BarStack } from '@visx/shape';
import { TooltipWithBounds } from '@visx/tooltip';
import { type FocusEvent, type KeyboardEvent, type PointerEvent, useState } from 'react';
import { total } from '#contract/feedback.ts';
import { RATING_WORDS, RATINGS } from '#contract/rating.ts';
import { useElementSize } from '../../../ui/mantine.ts';
import styles from './TrendChart.module.css';
import { bucketLabel, describeBucket, type Grain, type TrendBucket } from './trend.ts';

interface TrendChartProps {
  readonly buckets: readonly TrendBucket[];
  readonly grain: Grain;
}

const LEFT = 24;
const BOTTOM = 20;
const GAP = 1.5;
const color = scaleOrdinal<number, string>({ domain: [...RATINGS], range: RATINGS.map((rating) => `var(--c-r${rating})`) });

/** Ratings over time as stacked bars, the worst at the bottom. One stop for the keyboard: the arrows go from bar to bar. */
export function TrendChart({ buckets, grain }: TrendChartProps) {
  const { ref, width, height } = useElementSize();
  const scales = scalesOf(buckets, { width, height });
  const { at, shown, ...handlers } = useShownBar(buckets, scales.x.step());
  const left = shown && (scales.x(shown.at) ?? 0) + scales.x.bandwidth() / 2;
  return (
    <>
      <div
        ref={ref}
        role="slider"
        tabIndex={0}
        className={styles['plot']}
        aria-label={grain === 'hour' ? 'Ratings by hour' : 'Ratings by day'}
        aria-valuemin={0}
        aria-valuemax={buckets.length - 1}
        aria-valuenow={at ?? buckets.length - 1}
        aria-valuetext={describeBucket(shown ?? buckets.at(-1), grain)}
        {...handlers}
      >
        {width > 0 && <Bars buckets={buckets} grain={grain} scales={scales} shown={shown} size={{ width, height }} />}
        {shown && <BarTooltip key={at} bucket={shown} grain={grain} left={left ?? 0} />}
      </div>
      <TrendTable buckets={buckets} grain={grain} />
    </>
  );
}

/** The bar that the pointer or the keyboard is on. */
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

interface BarsProps extends TrendChartProps {
  readonly scales: ReturnType<typeof scalesOf>;
  readonly shown: TrendBucket | undefined;
  readonly size: { readonly width: number; readonly height: number };
}

function Bars({ buckets, grain, scales: { x, y }, shown, size: { width, height } }: BarsProps) {
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
                  fill={bar.color}
                />
              )),
          )
        }
      </BarStack>
      <AxisLeft
        left={LEFT}
        scale={y}
        numTicks={2}
        tickFormat={(value) => (Number.isInteger(value) ? String(value) : '')}
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

function scalesOf(buckets: readonly TrendBucket[], { width, height }: { width: number; height: number }) {
  const most = Math.max(4, ...buckets.map(({ ratings }) => total(ratings)));
  return {
    x: scaleBand<number>({ domain: buckets.map(({ at }) => at), range: [LEFT, width] }),
    y: scaleLinear<number>({ domain: [0, most], range: [height - BOTTOM, 4] }),
  };
}

const LABEL_WIDTH = 64;

/** As many names as fit without touching, the last one always among them. */
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

function BarTooltip({ bucket: { at, ratings }, grain, left }: { bucket: TrendBucket; grain: Grain; left: number }) {
  return (
    <TooltipWithBounds left={left} top={0} offsetTop={4} unstyled applyPositionStyle className={styles['tooltip'] ?? ''} aria-hidden>
      <strong>{bucketLabel(at, grain, 'long')}</strong>
      {total(ratings) === 0 && <span>No ratings</span>}
      {RATINGS.toReversed().map((rating) =>
        ratings[rating - 1] ? (
          <span key={rating} className={styles['count']} data-rating={rating}>
            {RATING_WORDS[rating]} <b>{ratings[rating - 1]}</b>
          </span>
        ) : null,
      )}
    </TooltipWithBounds>
  );
}

/** The chart as a table, for people who do not see it. */
function TrendTable({ buckets, grain }: { buckets: readonly TrendBucket[]; grain: Grain }) {
  return (
    <div className="visually-hidden">
      <table>
        <caption>Ratings by {grain}</caption>
        <thead>
          <tr>
            <th scope="col">{grain === 'hour' ? 'Hour' : 'Day'}</th>
            {RATINGS.map((rating) => (
              <th key={rating} scope="col">
                {RATING_WORDS[rating]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.map(({ at, ratings }) => (
            <tr key={at}>
              <th scope="row">{bucketLabel(at, grain, 'long')}</th>
              {RATINGS.map((rating) => (
                <td key={rating}>{ratings[rating - 1]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
