import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Page } from '../lib/api.ts';
import type { Incident } from '../lib/api-types.ts';
import { texts } from './texts.ts';

type KnownIncident = Pick<Incident, 'status' | 'severity' | 'evidence'>;

/** Kind of a change, such as `Now critical`, and a sentence if the incident's own does not say what has changed. */
interface Change {
  headline: string;
  sentence: string | null;
}

/**
 * Returns the notice of a change: a new status, a rise to critical, or something worse that has begun elsewhere. More events of an incident give none, and neither do
 * changes that this page made itself and knows already.
 */
export function describeChange(before: KnownIncident | null, after: KnownIncident): Change | null {
  if (!before) return null;
  if (before.status !== after.status) return { headline: texts.news.now(after.status), sentence: null };
  const escalation = after.evidence?.escalation;
  if (escalation && escalation.at !== before.evidence?.escalation?.at)
    return { headline: texts.news.now(after.severity), sentence: escalation.sentence };
  return after.severity === 'critical' && before.severity !== 'critical'
    ? { headline: texts.news.now(after.severity), sentence: null }
    : null;
}

/** Returns the incident as this page has read it last; its own page comes first, since it is changed there. */
export function findKnown(cache: QueryClient, id: string): KnownIncident | null {
  const read = cache.getQueriesData({ queryKey: ['incidents'] });
  const own = cache.getQueryData<Incident>(['incidents', 'detail', id]);
  return own ?? read.flatMap(([, data]) => listedIn(data)).find((incident) => incident.id === id) ?? null;
}

/** Returns the incidents of cached data: a plain list, a page, or several pages. */
function listedIn(data: unknown): Incident[] {
  if (Array.isArray(data)) return data as Incident[];
  const { items, pages } = (data ?? {}) as Partial<Page<Incident> & InfiniteData<Page<Incident>>>;
  return items ?? pages?.flatMap((page) => page.items) ?? [];
}

/** Returns true if this page has just created the incident, or waits for the answer to its creation. */
export function isOwnCreation(cache: QueryClient, { origin, title, projectId }: Incident): boolean {
  if (origin !== 'manual') return false;
  return cache
    .getMutationCache()
    .findAll({ mutationKey: ['incidents', 'create'] })
    .some(({ state: { status, variables } }) => {
      const asked = variables as Partial<Incident> | undefined;
      return status !== 'error' && asked?.title?.trim() === title && asked.projectId === projectId;
    });
}
