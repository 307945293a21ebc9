import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { GroupCounts, GroupDetail, Points } from '../../../lib/api-types.ts';
import { useReleaseMarks } from '../../../lib/releases/release-marks.ts';
import type { RangeName } from '../../../lib/scope.ts';
import { ObservedChart } from '../../../ui/charts/observed-chart.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Failure } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { type CountUnit, countsQuery } from '../queries.ts';
import { texts } from '../texts.ts';

const UNITS = ['minute', 'hour', 'day'] as const satisfies CountUnit[];
const RANGE_OF = { minute: '1h', hour: '24h', day: '30d' } as const satisfies Record<CountUnit, RangeName>;
const SECONDS = { minute: 60, hour: 3_600, day: 86_400 } as const satisfies Record<CountUnit, number>;
const HEIGHT = 160;

/** The exact counts of the last hour, day or month, with the deploys of that time. */
export function GroupChart({ group }: { group: GroupDetail }) {
  const [unit, setUnit] = useState<CountUnit>('hour');
  const { data, error, refetch } = useQuery(countsQuery([group.id], unit));
  // The counts before stay until those of the chosen unit are read.
  const shown = UNITS.find((one) => SECONDS[one] === data?.intervalSeconds) ?? unit;
  const points = useMemo(() => data && toPoints(data), [data]);
  const startMs = data ? Date.parse(data.start) : 0;
  const endMs = data ? startMs + data.intervalSeconds * 1_000 * (data.groups[0]?.counts.length ?? 0) : 0;
  const releases = useReleaseMarks({
    project: group.projectId,
    search: { group_id: group.id, range: RANGE_OF[shown] },
    fromMs: startMs,
    toMs: endMs,
  });
  const moments =
    group.regressedAt === null ? [] : [{ atMs: Date.parse(group.regressedAt), label: texts.list.regressed }];
  return (
    <Section
      title={texts.page.chart}
      actions={
        <span className="flex gap-1">
          {UNITS.map((one) => (
            <Button
              key={one}
              variant="ghost"
              aria-pressed={one === unit}
              className={one === unit ? 'bg-hover! text-text!' : ''}
              onClick={() => setUnit(one)}
            >
              {texts.page.ranges[one]}
            </Button>
          ))}
        </span>
      }
    >
      {error && !data ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <ObservedChart
          label={`${texts.page.chart}, ${texts.page.ranges[shown].toLowerCase()}`}
          points={points}
          range={{ startMs, endMs }}
          height={HEIGHT}
          severity={group.severity}
          marks={{ releases, moments }}
        />
      )}
    </Section>
  );
}

/** Converts counts for the chart; the last one is of the current minute, hour or day. */
function toPoints({ start, intervalSeconds, groups }: GroupCounts): Points {
  const counts = groups[0]?.counts ?? [];
  const startMs = Date.parse(start);
  const points = counts.map((observed, index) => ({
    at: new Date(startMs + index * intervalSeconds * 1_000).toISOString(),
    observed,
    expected: null,
  }));
  const running = points.pop();
  return {
    intervalSeconds,
    points,
    ...(running && { running: { at: running.at, observed: running.observed } }),
  };
}
