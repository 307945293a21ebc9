const WIDTH = 96;
const HEIGHT = 20;

/** Counts as small bars, for a glance; the caller shows their sum beside them. */
export function Sparkline({
  counts,
  className = 'text-text-muted',
}: {
  counts: number[];
  className?: string;
}) {
  const most = counts.reduce((highest, count) => Math.max(highest, count), 1);
  const step = WIDTH / Math.max(1, counts.length);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
      className={className}
    >
      {counts.map((count, index) => {
        const height = count === 0 ? 0 : Math.max(1.5, (count / most) * HEIGHT);
        return (
          <rect
            key={index}
            x={index * step}
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
