import type { Incident } from '../../../lib/api-types.ts';
import { formatSecond } from '../../../ui/charts/chart-time.ts';
import type { ChartMoment } from '../../../ui/charts/mark-layer.tsx';
import { texts } from '../texts.ts';

/** Returns the times at which an incident opened and ended, to the second; the chart also marks the window in which it was found. */
export function momentsOf({ createdAt, resolvedAt }: Incident): ChartMoment[] {
  const momentOf = (word: string, at: string) => ({
    atMs: Date.parse(at),
    label: `${word} ${formatSecond(Date.parse(at))}`,
  });
  return [
    momentOf(texts.head.opened, createdAt),
    ...(resolvedAt ? [momentOf(texts.head.resolved, resolvedAt)] : []),
  ];
}
