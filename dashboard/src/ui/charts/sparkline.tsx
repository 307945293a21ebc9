const WIDTH = 96;
const HEIGHT = 20;

/** Counts as small bars, for a glance; the caller shows their sum beside them. */
export function Sparkline({
  counts,
  unseen = 0,
  className = 'text-text-muted',
}: {
  counts: number[];
  /** Number of first counts that are not known: their part of the axis is dotted. */
  unseen?: number;
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
      {unseen > 0 && (
        <line
          x1={0}
          x2={unseen * step - 1}
          y1={HEIGHT - 0.5}
          y2={HEIGHT - 0.5}
          stroke="currentColor"
          strokeDasharray="1 3"
        />
      )}
      {counts.map((count, index) => {
        if (index < unseen) return null;
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
