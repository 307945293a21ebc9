import type { InfiniteData } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Page } from '../../../lib/api.ts';
import type { Incident } from '../../../lib/api-types.ts';
import { queryClient } from '../../../lib/queries.ts';
import type { IncidentSearch } from '../../../lib/search/incident-search.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { type IncidentFilter, LISTS_KEY } from '../queries.ts';
import { texts } from '../texts.ts';

/** Registers the keys of an incident's page: j and k step through the list that it was opened from, u and Escape return to it, e edits. */
export function useIncidentKeys(incidentId: string, onEdit: () => void): void {
  const navigate = useNavigate();
  const step = (by: 1 | -1) => {
    const ids = findList(incidentId)?.ids ?? [];
    const next = ids[ids.indexOf(incidentId) + by];
    if (next) void navigate({ to: '/incidents/$incidentId', params: { incidentId: next }, replace: true });
  };
  const back = () => void navigate({ to: '/incidents', search: findList(incidentId)?.search ?? {} });
  useShortcuts([
    { keys: 'j', label: texts.keys.next, run: () => step(1) },
    { keys: 'k', label: texts.keys.previous, run: () => step(-1) },
    { keys: 'e', label: texts.keys.edit, run: onEdit },
    { keys: 'u', label: texts.keys.back, run: back },
    { keys: 'Escape', label: texts.keys.back, run: back },
  ]);
}

/** Returns the most recently read list that holds the incident. */
function findList(incidentId: string): { ids: string[]; search: IncidentSearch } | null {
  const [newest] = queryClient
    .getQueryCache()
    .findAll({ queryKey: LISTS_KEY })
    .map(({ queryKey, state }) => {
      const { pages } = (state.data ?? { pages: [] }) as InfiniteData<Page<Incident>>;
      const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
      return { ids, filter: queryKey.at(-1) as IncidentFilter, atMs: state.dataUpdatedAt };
    })
    .filter(({ ids }) => ids.includes(incidentId))
    .toSorted((left, right) => right.atMs - left.atMs);
  if (!newest) return null;
  const { status, q, sort } = newest.filter;
  return {
    ids: newest.ids,
    search: { status: status ?? 'all', q, sort: sort === 'severity' ? sort : undefined },
  };
}
