import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { MAX_SEARCH_LENGTH } from '../../../../server/src/events/limits.ts';
import { projectOfKey } from '../../../../server/src/tenancy/projects/group-key.ts';
import { foundIncidentsQuery } from '../../features/incidents/palette-queries.ts';
import { projectsQuery } from '../../lib/queries.ts';
import { useScope } from '../../lib/scope.ts';
import {
  correlationKeysQuery,
  describeKey,
  isIdLike,
  matchingGroupsQuery,
  searchOfKey,
} from '../../lib/search/search-offers.ts';
import { useSettled } from '../../lib/use-settled.ts';
import type { Entry } from './entry.ts';
import { texts as words } from './texts.ts';

type Navigate = ReturnType<typeof useNavigate>;

const KEYS_OFFERED = 4;
const SETTLED_MS = 150;
/** Minimum length of a search: most incidents and groups hold a shorter text. */
const MIN_TEXT = 2;
const ID = /^(evt|inc|grp|proj)_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Returns the entries made from the text itself: a pasted id or key, search results, and a search. */
export function useFoundEntries(text: string): Record<'opened' | 'found' | 'searched', Entry[]> {
  const navigate = useNavigate();
  const { data: projects = [] } = useQuery(projectsQuery);
  // Asks the service only once typing pauses.
  const settled = useSettled(text, SETTLED_MS);
  const { groups, incidents, byValue } = useResults(text, settled, navigate);
  // Offered before the service answers: Enter may follow at once.
  const isKey = projectOfKey(projects, text) !== undefined;
  const key = text.toUpperCase();
  const keyed: Entry = {
    id: `open ${key}`,
    group: 'places',
    icon: 'groups',
    label: words.openGroup(key),
    hint: groups.length === 1 ? groups[0]?.label : undefined,
    run: () => void navigate({ to: '/groups/$groupId', params: { groupId: key } }),
  };
  const q = Array.from(text).slice(0, MAX_SEARCH_LENGTH).join('');
  return {
    opened: [...openedBy(text, navigate), ...(isKey ? [keyed] : [])],
    found: [...(isKey ? [] : groups), ...incidents],
    searched: [
      ...byValue,
      {
        id: 'search events',
        group: 'search',
        icon: 'search',
        label: words.searchEvents(q),
        run: () => void navigate({ to: '/events', search: { q } }),
      },
      {
        id: 'search groups',
        group: 'search',
        icon: 'search',
        label: words.searchGroups(q),
        run: () => void navigate({ to: '/groups', search: { q, state: 'all', severity: 'all' } }),
      },
    ],
  };
}

/** Returns the entry that opens a pasted id, if the text is one. */
function openedBy(text: string, navigate: Navigate): Entry[] {
  const kind = ID.exec(text)?.[1];
  const places = {
    evt: { label: words.openEvent(text), to: { to: '/events', search: { event: text } } },
    inc: {
      label: words.openIncident(text),
      to: { to: '/incidents/$incidentId', params: { incidentId: text } },
    },
    grp: { label: words.openGroup(text), to: { to: '/groups/$groupId', params: { groupId: text } } },
    proj: {
      label: words.openProject(text),
      to: { to: '/projects/$projectId', params: { projectId: text } },
    },
  } as const;
  const place = kind && places[kind as keyof typeof places];
  if (!place) return [];
  const { label, to } = place;
  return [{ id: `open ${text}`, group: 'places', icon: 'link', label, run: () => void navigate(to) }];
}

/** Returns what the service finds for the settled text, if it is still the typed one. */
function useResults(
  text: string,
  settled: string,
  navigate: Navigate,
): Record<'groups' | 'incidents' | 'byValue', Entry[]> {
  const [scope] = useScope();
  const isSettled = settled === text;
  const isText = settled.length >= MIN_TEXT;
  const { data: keys } = useQuery({
    ...correlationKeysQuery(settled, scope.project),
    enabled: isIdLike(settled) && !ID.test(settled),
  });
  const { data: groups } = useQuery({
    ...matchingGroupsQuery(settled, scope.project),
    enabled: isText && !ID.test(settled),
  });
  const { data: incidents } = useQuery({ ...foundIncidentsQuery(settled), enabled: isText });
  return {
    groups: ((isSettled && groups) || []).map(({ id, key, title }) => ({
      id,
      group: 'groups',
      icon: 'groups',
      label: title,
      hint: key,
      run: () => void navigate({ to: '/groups/$groupId', params: { groupId: id } }),
    })),
    // Open ones are among the standing entries.
    incidents: ((isSettled && incidents?.items) || [])
      .filter(({ status }) => status !== 'open')
      .map(({ id, title, status }) => ({
        id,
        group: 'incidents',
        icon: 'incidents',
        label: title,
        hint: status,
        run: () => void navigate({ to: '/incidents/$incidentId', params: { incidentId: id } }),
      })),
    byValue: ((isSettled && keys?.answer) || []).slice(0, KEYS_OFFERED).map((key) => ({
      id: `key ${key.key}`,
      group: 'search',
      icon: 'search',
      label: describeKey(key, text, keys?.scan ?? null),
      run: () => void navigate({ to: '/events', search: searchOfKey(key, text, scope) }),
    })),
  };
}
