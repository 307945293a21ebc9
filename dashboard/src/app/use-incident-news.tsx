import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Incident } from '../lib/api-types.ts';
import { useMemberName } from '../lib/members.ts';
import { nameProjects } from '../lib/project-name.ts';
import { projectsQuery, queryClient } from '../lib/queries.ts';
import { useMessages } from '../lib/realtime.ts';
import { batch, throttle } from '../lib/throttle.ts';
import { SeverityGlyph } from '../ui/display/glyphs.tsx';
import { localizeTimes } from '../ui/display/local-times.ts';
import { Sentence } from '../ui/display/sentence.tsx';
import { showToast } from '../ui/feedback/toasts.tsx';
import { describeChange, findKnown, isOwnCreation } from './incident-changes.ts';

/** However many frames come, what shows incidents is read again no more often than this. */
const READ_INTERVAL_MS = 500;
/** News that arrive faster are combined. */
const TELL_INTERVAL_MS = 2_000;
const TOLD_ONE_BY_ONE = 2;

const readAgain = throttle(
  () => queryClient.invalidateQueries({ queryKey: ['incidents'] }),
  READ_INTERVAL_MS,
);

interface News {
  incident: Incident;
  /** The kind of change: `New incident`, `Now critical`. */
  says: string;
  /** Why; null: as the incident itself says. */
  sentence: string | null;
}

/** Reads incidents again when one is new or changed, and notifies of changes that need attention on every page. */
export function useIncidentNews(): void {
  const navigate = useNavigate();
  const [tell] = useState(() =>
    batch<News>((news) => {
      const open = () => void navigate(placeOf(news));
      if (news.length <= TOLD_ONE_BY_ONE) for (const one of news) showToast(<OneNews {...one} />);
      else showToast(<ManyNews count={news.length} />);
      notify(news, open);
    }, TELL_INTERVAL_MS),
  );
  useMessages((message) => {
    if (message.event !== 'incident_created' && message.event !== 'incident_updated') return;
    const incident = message.data;
    const isNew = message.event === 'incident_created' && !isOwnCreation(queryClient, incident);
    const change = isNew
      ? { says: 'New incident', sentence: null }
      : message.event === 'incident_updated' && describeChange(findKnown(queryClient, incident.id), incident);
    if (change) tell({ incident, ...change });
    readAgain();
  });
}

function OneNews({ incident, says, sentence }: News) {
  const project = projectOf(incident);
  const investigator = useMemberName(incident.status === 'investigating' ? incident.investigatorId : null);
  return (
    <Link to="/incidents/$incidentId" params={{ incidentId: incident.id }} className="block hover:underline">
      <span className="font-semibold">
        {says}
        {investigator && ` · ${investigator}`}
      </span>{' '}
      <SeverityGlyph severity={incident.severity} withWord />
      {project && <span className="ml-2 text-text-muted wrap-anywhere">{project}</span>}
      <span className="mt-1 line-clamp-2 block wrap-anywhere">
        <Sentence text={sentence ?? incident.evidence?.sentence ?? incident.title} />
      </span>
    </Link>
  );
}

function ManyNews({ count }: { count: number }) {
  return (
    <Link to="/incidents" className="block hover:underline">
      <span className="font-semibold">{count} new or changed incidents</span>
    </Link>
  );
}

/** The project's name, where it is known by now and says something: not where there is but one. */
function projectOf({ projectId }: Incident): string | undefined {
  const projects = queryClient.getQueryData(projectsQuery.queryKey) ?? [];
  return projects.length > 1 ? nameProjects(projects).get(projectId) : undefined;
}

function placeOf(news: News[]) {
  const [first] = news;
  return first && news.length === 1
    ? ({ to: '/incidents/$incidentId', params: { incidentId: first.incident.id } } as const)
    : ({ to: '/incidents' } as const);
}

/** The browser's own notification, for those who look at something else; only where they allowed it. */
function notify(news: News[], open: () => void): void {
  if (!('Notification' in window) || Notification.permission !== 'granted' || document.hasFocus()) return;
  const [first] = news;
  if (!first) return;
  const { incident, says, sentence } = first;
  const one = news.length === 1;
  const notification = new Notification(one ? `${says}: ${incident.title}` : `${news.length} incidents`, {
    body: one
      ? localizeTimes(
          sentence ?? incident.evidence?.sentence ?? `${incident.severity}, created manually`,
          Date.now(),
        )
      : incident.title,
    // All pages of a browser tell the same: the later one takes the place of the former.
    tag: one ? incident.id : 'tocsin.incidents',
    icon: '/app/icon.svg',
  });
  notification.addEventListener('click', () => {
    window.focus();
    notification.close();
    open();
  });
}
