import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { isOwnChange } from '../features/incidents/change/own-changes.ts';
import type { Incident } from '../lib/api-types.ts';
import { nameProjects } from '../lib/project-name.ts';
import { projectsQuery, queryClient } from '../lib/queries.ts';
import { useMessages } from '../lib/realtime.ts';
import { batch, tellAfterReading } from '../lib/throttle.ts';
import { describeChange, findKnown, isOwnCreation } from './incident-changes.ts';
import type { News } from './news.ts';
import { addNews } from './news-history.ts';
import { texts } from './texts.ts';

/** Minimum interval of toasts: news that arrive faster are combined. */
const TELL_INTERVAL_MS = 2_000;

/** Loads the toasts. If that fails, the history and the lists still show the news. */
export const importTellNews = () => import('./tell-news.tsx');

/** Reads incidents again when one is new or changed, and notifies of changes that need attention, on every page. */
export function useIncidentNews(): void {
  const navigate = useNavigate();
  const [announce] = useState(() =>
    tellAfterReading(
      () => queryClient.invalidateQueries({ queryKey: ['incidents'] }),
      batch<News>((news) => {
        const nowMs = Date.now();
        addNews(
          news.map(({ incident: { id, severity, title }, headline, project }) => ({
            incidentId: id,
            headline,
            severity,
            title,
            project,
          })),
          nowMs,
        );
        importTellNews().then(
          ({ tellNews }) => tellNews(news, nowMs, () => void navigate(placeOf(news))),
          () => undefined,
        );
      }, TELL_INTERVAL_MS),
    ),
  );
  useMessages((message) => {
    if (message.event !== 'incident_created' && message.event !== 'incident_updated') return;
    const incident = message.data;
    const isNew = message.event === 'incident_created' && !isOwnCreation(queryClient, incident);
    const change = isNew
      ? { headline: texts.news.newIncident, sentence: null }
      : message.event === 'incident_updated' &&
        !isOwnChange(incident) &&
        describeChange(findKnown(queryClient, incident.id), incident);
    if (!change) return announce(null);
    announce({ incident, ...change, project: projectOf(incident) });
  });
}

/** Returns the project's name; null if it is not known yet, or if there is only one project. */
function projectOf({ projectId }: Incident): string | null {
  const projects = queryClient.getQueryData(projectsQuery.queryKey) ?? [];
  return projects.length > 1 ? (nameProjects(projects).get(projectId) ?? null) : null;
}

function placeOf(news: News[]) {
  const [first] = news;
  return first && news.length === 1
    ? ({ to: '/incidents/$incidentId', params: { incidentId: first.incident.id } } as const)
    : ({ to: '/incidents' } as const);
}
