import type { Preview } from '../../lib/api-types.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { formatDay } from '../../lib/format.ts';
import { formatSlotTime } from '../../ui/charts/chart-time.ts';
import { SEVERITY_FILLS } from '../../ui/display/severity-fills.ts';
import type { Origin } from './preview-origins.ts';
import { texts } from './texts.ts';

type PreviewIncident = Preview['incidents'][number];

interface OriginStripsProps {
  origins: Origin<PreviewIncident>[];
  fromMs: number;
  toMs: number;
}

/** Maximum days that have a label each; longer ranges have one every few days. */
const MAX_LABELS = 7;

/** A time axis with a strip for detection and for each rule, which shows when incidents would have been open because of it. */
export function OriginStrips({ origins, fromMs, toMs }: OriginStripsProps) {
  const place = (timeMs: number) => `${(100 * (timeMs - fromMs)) / (toMs - fromMs)}%`;
  const days = daysBetween(fromMs, toMs);
  return (
    <figure
      aria-label={texts.preview.strips}
      className="mb-4 grid grid-cols-1 gap-x-3 sm:grid-cols-[minmax(8rem,14rem)_minmax(0,1fr)]"
    >
      {origins.map(({ name, incidents }) => (
        <div key={name} className="contents">
          <p className="flex min-h-7 items-center gap-2 text-sm">
            <span className="min-w-0 truncate" title={name}>
              {name}
            </span>
            <span className="ml-auto font-medium">{incidents.length}</span>
          </p>
          <div
            role="img"
            aria-label={`${name}: ${[texts.preview.count(incidents.length), ...incidents.slice(0, 5).map(({ openedAt }) => formatSlotTime(Date.parse(openedAt)))].join(', ')}`}
            className="relative mb-1 h-7 overflow-hidden rounded bg-muted"
          >
            {days.map((dayMs) => (
              <span key={dayMs} className="absolute inset-y-0 w-px bg-line" style={{ left: place(dayMs) }} />
            ))}
            {incidents.map(({ openedAt, resolvedAt, severity, sentence }, index) => {
              const openedMs = Date.parse(openedAt);
              const lastedMs = (resolvedAt ? Date.parse(resolvedAt) : toMs) - openedMs;
              return (
                <span
                  key={index}
                  title={`${formatSlotTime(openedMs)}: ${sentence.replaceAll('`', '')}`}
                  className={`absolute inset-y-1 min-w-1 rounded-xs border-r border-surface ${SEVERITY_FILLS[severity]}`}
                  style={{ left: place(openedMs), width: `${(100 * lastedMs) / (toMs - fromMs)}%` }}
                />
              );
            })}
          </div>
        </div>
      ))}
      <div aria-hidden="true" className="relative h-5 text-xs text-text-muted sm:col-start-2">
        {labelled(days, fromMs, toMs).map((dayMs) => (
          <span key={dayMs} className="absolute whitespace-nowrap" style={{ left: place(dayMs) }}>
            {formatDay(dayMs)}
          </span>
        ))}
      </div>
    </figure>
  );
}

/** Returns the midnights within a range, in the reader's time zone. */
function daysBetween(fromMs: number, toMs: number): number[] {
  const first = new Date(fromMs);
  first.setHours(24, 0, 0, 0);
  const days: number[] = [];
  // Steps by the calendar: a day of a time change has 23 or 25 hours.
  for (const day = first; day.getTime() < toMs; day.setDate(day.getDate() + 1)) days.push(day.getTime());
  return days;
}

/** Returns the days whose label has room, away from the right edge. */
function labelled(days: number[], fromMs: number, toMs: number): number[] {
  const every = Math.ceil(days.length / MAX_LABELS);
  // The narrowest strip has room for seven labels.
  const lastMs = Math.min(days.at(-1) ?? 0, toMs - (toMs - fromMs) / 7);
  return days.filter((dayMs, index) => index % every === 0 && dayMs <= lastMs - (every - 1) * DAY_MS);
}
