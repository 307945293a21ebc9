import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { MAX_SEARCH_LENGTH } from '../../../../server/src/events/limits.ts';
import { projectsOfKey } from '../../../../server/src/groups/group-key.ts';
import { foundIncidentsQuery, newestOpenIncidentsQuery } from '../../features/incidents/palette-queries.ts';
import { describeProject } from '../../lib/project-name.ts';
import { membersQuery, projectsQuery } from '../../lib/queries.ts';
import { useScope } from '../../lib/scope.ts';
import {
  correlationKeysQuery,
  describeKey,
  isIdLike,
  matchingGroupsQuery,
  searchOfKey,
} from '../../lib/search/search-offers.ts';
import { useSettled } from '../../lib/use-settled.ts';
import type { IconName } from '../../ui/display/icons.tsx';
import { texts as navigation } from '../navigation/texts.ts';
import { useLogOut } from '../user/use-log-out.ts';
import { fuzzyMatch } from './fuzzy-match.ts';
import { readRecent } from './recent-entries.ts';
import { texts as words } from './texts.ts';

/** Entry of the command palette. */
export interface Entry {
  id: string;
  group: keyof typeof words.groups;
  label: string;
  icon: IconName;
  /** Keys that do the same without the palette. */
  keys?: string;
  /** Offers the entry only for texts that match. */
  onlyFor?: RegExp;
  /** A few words beside the label. */
  hint?: string | undefined;
  run: () => void;
}

const MAX_PER_GROUP = 8;
const KEYS_OFFERED = 4;
const SETTLED_MS = 150;
/** Minimum length of a search: most incidents and groups hold a shorter text. */
const MIN_TEXT = 2;
const ID = /^(evt|inc|grp|proj)_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Returns the entries that match the typed text, best first within each group. */
export function usePaletteEntries(text: string, showKeys: () => void): Entry[] {
  const all = useAllEntries(showKeys);
  const forText = useEntriesFor(text.trim());
  if (text.trim() === '') {
    const shown = all.filter(({ onlyFor }) => !onlyFor);
    return [...pickRecent(all), ...capGroups(shown)];
  }
  const ranked = all
    .filter(({ onlyFor }) => !onlyFor || onlyFor.test(text))
    .flatMap((entry) => {
      const score = fuzzyMatch(text, `${entry.label} ${entry.hint ?? ''} ${entry.keys ?? ''}`);
      return score === null ? [] : [{ entry, score }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
  const groups = [...new Set(ranked.map(({ group }) => group))];
  const grouped = groups.flatMap((group) => ranked.filter((entry) => entry.group === group));
  return [...forText.opened, ...capGroups(grouped), ...forText.found, ...forText.searched];
}

/** Returns the entries that were chosen last and still exist. */
function pickRecent(all: Entry[]): Entry[] {
  return readRecent().flatMap((id): Entry[] => {
    const entry = all.find((one) => one.id === id);
    return entry ? [{ ...entry, group: 'recent' }] : [];
  });
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
  const { data: members = [] } = useQuery(membersQuery);
  const place = (
    label: string,
    icon: IconName,
    to: Parameters<typeof navigate>[0],
    keys?: string,
  ): Entry => ({
    id: `go ${label}`,
    group: 'places',
    label,
    icon,
    ...(keys && { keys }),
    run: () => void navigate(to),
  });
  const { places } = navigation;
  return [
    place(places.overview, 'overview', { to: '/' }, 'g o'),
    place(places.incidents, 'incidents', { to: '/incidents' }, 'g i'),
    place(places.groups, 'groups', { to: '/groups' }, 'g g'),
    place(places.events, 'events', { to: '/events' }, 'g e'),
    place(places.releases, 'releases', { to: '/releases' }),
    place(places.projects, 'projects', { to: '/projects' }, 'g p'),
    place(words.organization, 'settings', { to: '/settings' }, 'g s'),
    place(words.auditLog, 'settings', { to: '/settings/audit' }),
    place(words.account, 'user', { to: '/settings/account' }),
    ...(incidents?.items ?? []).map(
      ({ id, title, severity }): Entry => ({
        id,
        group: 'open',
        icon: 'incidents',
        label: title,
        hint: severity,
        run: () => void navigate({ to: '/incidents/$incidentId', params: { incidentId: id } }),
      }),
    ),
    ...(scope.project
      ? [
          {
            id: 'all projects',
            group: 'projects',
            icon: 'projects',
            label: words.allProjects,
            hint: words.switchTo,
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
          group: 'projects',
          icon: 'projects',
          label,
          hint: words.switchTo,
          run: () => setScope({ project: id }),
        },
        {
          id: `${id} settings`,
          group: 'projects',
          icon: 'key',
          label,
          hint: words.keysAndSettings,
          // A project has one row until its keys or settings are searched for.
          onlyFor: /key|sett/i,
          run: () => void navigate(open),
        },
      ];
    }),
    ...members.map(
      ({ user: { id, name, email } }): Entry => ({
        id,
        group: 'members',
        icon: 'user',
        label: name,
        hint: email,
        onlyFor: /./,
        run: () => void navigate({ to: '/settings' }),
      }),
    ),
    {
      id: 'create project',
      group: 'actions',
      icon: 'plus',
      label: words.createProject,
      run: () => void navigate({ to: '/projects/new' }),
    },
    {
      id: 'create incident',
      group: 'actions',
      icon: 'plus',
      label: words.createIncident,
      run: () => void navigate({ to: '/incidents', search: { create: true } }),
    },
    { id: 'keys', group: 'actions', icon: 'keyboard', label: words.shortcuts, keys: '?', run: showKeys },
    { id: 'log out', group: 'actions', icon: 'external', label: words.logOut, run: () => logOut.mutate() },
  ];
}

/** Returns the entries made from the text itself: a pasted id or key, search results, and a search. */
function useEntriesFor(text: string): Record<'opened' | 'found' | 'searched', Entry[]> {
  const navigate = useNavigate();
  const kind = ID.exec(text)?.[1];
  const open = {
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
  const [scope] = useScope();
  // Asks the service only once typing pauses.
  const settled = useSettled(text, SETTLED_MS);
  const { data: keys } = useQuery({
    ...correlationKeysQuery(settled, scope.project),
    enabled: isIdLike(settled) && !ID.test(settled),
  });
  const withValue = (settled === text && keys?.answer) || [];
  const byKey = withValue.slice(0, KEYS_OFFERED).map(
    (key): Entry => ({
      id: `key ${key.key}`,
      group: 'search',
      icon: 'search',
      label: describeKey(key, text, keys?.scan ?? null),
      run: () => void navigate({ to: '/events', search: searchOfKey(key, text, scope) }),
    }),
  );
  const found = kind && open[kind as keyof typeof open];
  const opened: Entry[] = found
    ? [
        {
          id: `open ${text}`,
          group: 'places',
          icon: 'link',
          label: found.label,
          run: () => void navigate(found.to),
        },
      ]
    : [];
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: matching } = useQuery({
    ...matchingGroupsQuery(settled, scope.project),
    enabled: settled.length >= MIN_TEXT && !ID.test(settled),
  });
  const groups = (settled === text && matching) || [];
  // Offered before the service answers: Enter may follow at once.
  const isKey = projectsOfKey(projects, text).length > 0;
  if (isKey) {
    const key = text.toUpperCase();
    opened.push({
      id: `open ${key}`,
      group: 'places',
      icon: 'groups',
      label: words.openGroup(key),
      hint: groups.length === 1 ? groups[0]?.title : undefined,
      run: () => void navigate({ to: '/groups/$groupId', params: { groupId: key } }),
    });
  }
  const foundGroups = groups
    .filter(() => !isKey)
    .map(
      ({ id, key, title }): Entry => ({
        id,
        group: 'groups',
        icon: 'groups',
        label: title,
        hint: key,
        run: () => void navigate({ to: '/groups/$groupId', params: { groupId: id } }),
      }),
    );
  const q = Array.from(text).slice(0, MAX_SEARCH_LENGTH).join('');
  const searched: Entry[] = [
    ...byKey,
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
  ];
  const { data: incidents } = useQuery({
    ...foundIncidentsQuery(settled),
    enabled: settled.length >= MIN_TEXT,
  });
  const others = (settled === text && incidents?.items.filter(({ status }) => status !== 'open')) || [];
  const foundIncidents = others.map(
    ({ id, title, status }): Entry => ({
      id,
      group: 'incidents',
      icon: 'incidents',
      label: title,
      hint: status,
      run: () => void navigate({ to: '/incidents/$incidentId', params: { incidentId: id } }),
    }),
  );
  return { opened, found: [...foundGroups, ...foundIncidents], searched };
}
