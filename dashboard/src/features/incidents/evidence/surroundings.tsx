import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Bucket, Incident, Points } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { MINUTE_MS } from '../../../lib/durations.ts';
import { histogramQuery } from '../../../lib/histogram-query.ts';
import { ObservedChart } from '../../../ui/charts/observed-chart.tsx';
import { Failure, QueryState } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { newestOfProjectQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { EventRows } from './event-rows.tsx';
import { momentsOf } from './moments.ts';
import { useReleasesAround } from './releases-behind.ts';

const BEFORE_MS = 30 * MINUTE_MS;
const AFTER_MS = 10 * MINUTE_MS;
/** Maximum time shown, from the opening on: it matters most for an incident that is open for long. */
const MAX_SHOWN_MS = 24 * 60 * MINUTE_MS;

/** The events of a project around an incident that a person created, for which Tocsin has no evidence. */
export function Surroundings({ incident }: { incident: Incident }) {
  const range = rangeAround(incident, useNow());
  return (
    <>
      <ProjectEvents incident={incident} {...range} />
      <ProjectChart incident={incident} {...range} />
    </>
  );
}

type Range = ReturnType<typeof rangeAround>;

function rangeAround({ createdAt, resolvedAt }: Incident, nowMs: number) {
  const startMs = Date.parse(createdAt) - BEFORE_MS;
  const endMs = resolvedAt ? Date.parse(resolvedAt) + AFTER_MS : nowMs;
  // Rounded to whole minutes: the bounds are part of the query keys.
  const fromMs = Math.floor(startMs / MINUTE_MS) * MINUTE_MS;
  const toMs = Math.ceil(Math.min(endMs, nowMs, startMs + MAX_SHOWN_MS) / MINUTE_MS) * MINUTE_MS;
  return { fromMs, toMs, from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

function ProjectChart({ incident, fromMs, toMs, from, to }: Range & { incident: Incident }) {
  const filter = { project_id: incident.projectId, from, to };
  const { data, error, refetch } = useQuery(histogramQuery(filter, 1));
  const releases = useReleasesAround(incident, useNow()).filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  return (
    <Section title={texts.surroundings.chart}>
      {error && !data ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <ObservedChart
          label={texts.surroundings.chart}
          points={data && toPoints(data.buckets)}
          range={{ startMs: fromMs, endMs: toMs }}
          height={200}
          severity={incident.severity}
          marks={{ releases, moments: momentsOf(incident) }}
        />
      )}
    </Section>
  );
}

/** Converts buckets to points without expected counts. */
function toPoints(buckets: Bucket[]): Points {
  const [first, second] = buckets.map(({ start }) => Date.parse(start));
  const points = buckets.map(({ start, info, warn, error, critical }) => ({
    at: start,
    observed: info + warn + error + critical,
    expected: null,
  }));
  return { intervalSeconds: ((second ?? 0) - (first ?? 0)) / 1_000 || 60, points };
}

function ProjectEvents({ incident, from, to }: Range & { incident: Incident }) {
  const { data, error, refetch } = useQuery(newestOfProjectQuery(incident, { from, to }));
  const search = { project: incident.projectId, from, to };
  return (
    <Section
      title={texts.surroundings.events}
      actions={
        <Link to="/events" search={search} className="text-sm leading-6 text-accent hover:underline">
          {texts.events.all(0)}
        </Link>
      }
    >
      {data ? (
        data.length === 0 ? (
          <p className="text-sm text-text-muted">{texts.surroundings.none}</p>
        ) : (
          <EventRows label={texts.surroundings.events} events={data} search={search} />
        )
      ) : (
        <QueryState query={{ error, refetch }} rows={5} rowClass="h-8" />
      )}
    </Section>
  );
}
