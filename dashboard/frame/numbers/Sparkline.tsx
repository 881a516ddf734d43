import styles from './Sparkline.module.css';

const BAR = 8;
const HEIGHT = 24;

/** Counts as small bars, without an axis. Hidden from screen readers: the numbers are beside it. */
export function Sparkline({ counts }: { counts: readonly number[] }) {
  const most = Math.max(1, ...counts);
  return (
    <svg
      className={styles['bars']}
      viewBox={`0 0 ${Math.max(1, counts.length) * BAR} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {counts.map((count, index) => {
        const height = count === 0 ? 1 : (count / most) * HEIGHT;
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its position
            key={index}
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
