import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { MAX_SEARCH_LENGTH } from '../../../server/src/events/limits.ts';
import { newestOpenIncidentsQuery } from '../features/incidents/queries.ts';
import { describeProject } from '../lib/project-name.ts';
import { projectsQuery } from '../lib/queries.ts';
import { useScope } from '../lib/scope.ts';
import { correlationKeysQuery, describeKey, isIdLike, searchOfKey } from '../lib/search-offers.ts';
import { useSettled } from '../lib/use-settled.ts';
import { fuzzyMatch } from './fuzzy-match.ts';
import { useLogOut } from './use-log-out.ts';

/** Something that the command palette can do. */
export interface Entry {
  id: string;
  group: 'Go to' | 'Projects' | 'Open incidents' | 'Actions' | 'Search';
  label: string;
  /** Said beside the label, in few words. */
  hint?: string;
  run: () => void;
}

const MAX_PER_GROUP = 8;
const KEYS_OFFERED = 4;
const SETTLED_MS = 150;
const ID = /^(evt|inc|proj)_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** The entries that match the typed text, best first within each group. */
export function usePaletteEntries(text: string, showKeys: () => void): Entry[] {
  const all = useAllEntries(showKeys);
  const forText = useEntriesFor(text.trim());
  if (text.trim() === '') return capGroups(all);
  const ranked = all
    .flatMap((entry) => {
      const score = fuzzyMatch(text, `${entry.label} ${entry.hint ?? ''}`);
      return score === null ? [] : [{ entry, score }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
  const groups = [...new Set(ranked.map(({ group }) => group))];
  const grouped = groups.flatMap((group) => ranked.filter((entry) => entry.group === group));
  return [...forText.opened, ...capGroups(grouped), ...forText.searched];
}

function capGroups(entries: Entry[]): Entry[] {
  const counts = new Map<string, number>();
  return entries.filter(({ group }) => {
    const count = (counts.get(group) ?? 0) + 1;
    counts.set(group, count);
    return count <= MAX_PER_GROUP;
  });
}

function useAllEntries(showKeys: () => void): Entry[] {
  const navigate = useNavigate();
  const [scope, setScope] = useScope();
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: incidents } = useQuery(newestOpenIncidentsQuery);
  const logOut = useLogOut();
  const place = (label: string, to: Parameters<typeof navigate>[0]): Entry => ({
    id: `go ${label}`,
    group: 'Go to',
    label,
    run: () => void navigate(to),
  });
  return [
    place('Overview', { to: '/' }),
    place('Incidents', { to: '/incidents' }),
    place('Groups', { to: '/groups' }),
    place('Events', { to: '/events' }),
    place('Projects', { to: '/projects' }),
    place('Organization', { to: '/settings' }),
    place('Audit log', { to: '/settings/audit' }),
    place('Account', { to: '/settings/account' }),
    ...(incidents?.items ?? []).map(
      ({ id, title, severity }): Entry => ({
        id,
        group: 'Open incidents',
        label: title,
        hint: severity,
        run: () => void navigate({ to: '/incidents/$incidentId', params: { incidentId: id } }),
      }),
    ),
    ...(scope.project
      ? [
          {
            id: 'all projects',
            group: 'Projects',
            label: 'All projects',
            hint: 'switch to',
            run: () => setScope({ project: undefined }),
          } satisfies Entry,
        ]
      : []),
    ...projects.flatMap((project): Entry[] => {
      const { id } = project;
      const label = describeProject(project);
      const open = { to: '/projects/$projectId', params: { projectId: id } } as const;
      return [
        {
          id,
          group: 'Projects',
          label,
          hint: 'switch to',
          run: () => setScope({ project: id }),
        },
        {
          id: `${id} settings`,
          group: 'Projects',
          label,
          hint: 'keys and settings',
          run: () => void navigate(open),
        },
      ];
    }),
    {
      id: 'create project',
      group: 'Actions',
      label: 'Create project',
      run: () => void navigate({ to: '/projects/new' }),
    },
    {
      id: 'create incident',
      group: 'Actions',
      label: 'Create incident',
      run: () => void navigate({ to: '/incidents', search: { create: true } }),
    },
    { id: 'keys', group: 'Actions', label: 'Keyboard shortcuts', hint: '?', run: showKeys },
    { id: 'log out', group: 'Actions', label: 'Log out', run: () => logOut.mutate() },
  ];
}

/** Entries made from the text itself: a pasted id, and a search. */
function useEntriesFor(text: string): { opened: Entry[]; searched: Entry[] } {
  const navigate = useNavigate();
  const kind = ID.exec(text)?.[1];
  const open = {
    evt: { label: `Open event  ${text}`, to: { to: '/events', search: { event: text } } },
    inc: {
      label: `Open incident  ${text}`,
      to: { to: '/incidents/$incidentId', params: { incidentId: text } },
    },
    proj: {
      label: `Open project  ${text}`,
      to: { to: '/projects/$projectId', params: { projectId: text } },
    },
  } as const;
  const [scope] = useScope();
  // Typing goes on: the service is asked for what stays.
  const settled = useSettled(text, SETTLED_MS);
  const { data: keys } = useQuery({
    ...correlationKeysQuery(settled, scope.project),
    enabled: isIdLike(settled) && !ID.test(settled),
  });
  const withValue = (settled === text && keys?.answer) || [];
  const byKey = withValue.slice(0, KEYS_OFFERED).map(
    (key): Entry => ({
      id: `key ${key.key}`,
      group: 'Search',
      label: describeKey(key, text, keys?.scan ?? null),
      run: () => void navigate({ to: '/events', search: searchOfKey(key, text, scope) }),
    }),
  );
  const found = kind && open[kind as keyof typeof open];
  const opened: Entry[] = found
    ? [{ id: `open ${text}`, group: 'Go to', label: found.label, run: () => void navigate(found.to) }]
    : [];
  const q = Array.from(text).slice(0, MAX_SEARCH_LENGTH).join('');
  const searched: Entry[] = [
    ...byKey,
    {
      id: 'search events',
      group: 'Search',
      label: `Search events for “${q}”`,
      run: () => void navigate({ to: '/events', search: { q } }),
    },
  ];
  return { opened, searched };
}
