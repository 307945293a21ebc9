import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { nameOfSeries } from '../../../../server/src/incidents/wording.ts';
import type { WatchedSeriesList } from '../../lib/api-types.ts';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { Empty, QueryState } from '../../ui/feedback/states.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { ProjectAlertsPage } from '../../ui/layout/alerts/project-alerts-page.tsx';
import { watchedQuery } from './queries.ts';
import { texts } from './texts.ts';
import { WatchedList } from './watched-list.tsx';

const words = texts.watched;

/** The watched series of a project, and how far each is from an incident. */
export function WatchedPage() {
  return (
    <ProjectAlertsPage title={words.title}>
      {(projectId) => <LoadedSeries key={projectId} projectId={projectId} />}
    </ProjectAlertsPage>
  );
}

function LoadedSeries({ projectId }: { projectId: string }) {
  const query = useQuery(watchedQuery(projectId));
  return query.data ? <Watched watched={query.data} /> : <QueryState query={query} rows={8} />;
}

function Watched({ watched: { at, series } }: { watched: WatchedSeriesList }) {
  const [text, setText] = useState('');
  if (at === null) {
    return (
      <Empty sign="clock" title={words.none.title}>
        {words.none.text}
      </Empty>
    );
  }
  const wanted = text.trim().toLowerCase();
  const matching = series.filter((one) => nameOfSeries(one.series).toLowerCase().includes(wanted));
  return (
    <>
      <h2 className="mb-1">{words.title}</h2>
      <p className="mb-3 max-w-prose text-text-muted">
        {words.hint} <RelativeTime at={at} />.
      </p>
      <div className="mb-3 flex flex-wrap items-end gap-x-4 gap-y-2">
        <TextField label={words.filter} value={text} onChange={(event) => setText(event.target.value)} />
        <p role="status" className="text-sm leading-8 text-text-muted">
          {words.count(matching.length, series.length)}
        </p>
      </div>
      {matching.length === 0 ? (
        <Empty sign="search" title={words.noMatch.title}>
          {words.noMatch.text}
        </Empty>
      ) : (
        <WatchedList series={matching} />
      )}
    </>
  );
}
