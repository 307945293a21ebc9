const WIDTH = 96;
const HEIGHT = 20;
/** Number of bars that fill the width at least: a few are no wider than many, and the newest is at the right. */
const MIN_BARS = 24;

/** Counts as small bars, for a glance; the caller shows their sum beside them. */
export function Sparkline({
  counts,
  className = 'text-text-muted',
}: {
  counts: number[];
  className?: string;
}) {
  const most = counts.reduce((highest, count) => Math.max(highest, count), 1);
  const bars = Math.max(MIN_BARS, counts.length);
  const step = WIDTH / bars;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
      className={className}
    >
      <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} stroke="currentColor" opacity="0.4" />
      {counts.map((count, index) => {
        const height = count === 0 ? 0 : Math.max(1.5, (count / most) * HEIGHT);
        return (
          <rect
            key={index}
            x={(bars - counts.length + index) * step}
            y={HEIGHT - height}
            width={Math.max(1, step - 1)}
            height={height}
            fill="currentColor"
          />
        );
      })}
    </svg>
  );
}
