import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { nameOfSeries } from '../../../../server/src/incidents/wording.ts';
import type { WatchedSeriesList } from '../../lib/api-types.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { Empty } from '../../ui/feedback/states.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { ProjectPage } from './project-page.tsx';
import { watchedQuery } from './queries.ts';
import { WatchedTable } from './watched-table.tsx';

/** What Tocsin watches of a project, and how far each series is from an incident. */
export function WatchedPage() {
  const { projectId } = useParams({ from: '/inside/projects/$projectId/watched' });
  const query = useQuery(watchedQuery(projectId));
  return (
    <ProjectPage
      title="Watched series"
      actions={
        <Link to="/projects/$projectId/alarms" params={{ projectId }} className={buttonClass()}>
          Alerts
        </Link>
      }
      {...{ projectId, query }}
    >
      {(watched) => <Watched watched={watched} />}
    </ProjectPage>
  );
}

function Watched({ watched: { at, series } }: { watched: WatchedSeriesList }) {
  const [text, setText] = useState('');
  if (at === null) {
    return (
      <Empty title="Nothing is watched yet">
        Each kind of event shows up here with its first event, by type, severity and source.
      </Empty>
    );
  }
  const wanted = text.trim().toLowerCase();
  const matching = series.filter((one) => nameOfSeries(one.series).toLowerCase().includes(wanted));
  return (
    <>
      <p className="mb-3 max-w-prose text-text-muted">
        What Tocsin has learned about each series, and the counts that would open an incident right now. As of{' '}
        <RelativeTime at={at} />.
      </p>
      <div className="mb-3 flex flex-wrap items-end gap-x-4 gap-y-2">
        <TextField label="Filter by name" value={text} onChange={(event) => setText(event.target.value)} />
        <p role="status" className="text-sm text-text-muted">
          {matching.length === series.length
            ? `${series.length} series`
            : `${matching.length} of ${series.length} series`}
        </p>
      </div>
      {matching.length === 0 ? (
        <Empty title="No series with this name">Names contain type, severity and source.</Empty>
      ) : (
        <WatchedTable series={matching} />
      )}
    </>
  );
}
