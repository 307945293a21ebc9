import type { GroupSort, GroupState } from '../../lib/api-types.ts';
import { formatCount } from '../../lib/format.ts';
import type { GroupMark, GroupStateChoice, MinSeverity } from '../../lib/search/group-search.ts';

/** Texts of the pages of groups. */
export const texts = {
  title: 'Groups',
  list: {
    name: 'Groups',
    states: 'State',
    tabs: { open: 'Open', resolved: 'Resolved', muted: 'Muted', all: 'All' } satisfies Record<
      GroupStateChoice,
      string
    >,
    search: 'Search groups',
    searchHint: 'Search, or SHOP-12',
    withKey: 'Group with this key',
    severity: 'Severity',
    severities: {
      warn: 'Warn and worse',
      error: 'Error and worse',
      critical: 'Critical',
      all: 'All severities',
    } satisfies Record<MinSeverity, string>,
    assignee: 'Assignee',
    anyone: 'Anyone',
    me: 'Me',
    unassigned: 'Unassigned',
    unknownMember: 'Former member',
    marks: { new: 'New', regressed: 'Regressed' } satisfies Record<GroupMark, string>,
    markHints: {
      new: 'First seen in the last 24 hours',
      regressed: 'Came back after they were resolved',
    } satisfies Record<GroupMark, string>,
    filters: 'Filters',
    release: 'Release',
    environment: 'Environment',
    source: 'Source',
    type: 'Type',
    apply: 'Apply',
    activeFilters: 'Active filters',
    removeFilter: (filter: string) => `Remove filter ${filter}`,
    clearFilters: 'Clear filters',
    sort: 'Sort',
    sorts: {
      last_seen: 'Last seen',
      first_seen: 'First seen',
      count: 'Events',
      users: 'Users',
    } satisfies Record<GroupSort, string>,
    sortBy: (column: string) => `Sort by ${column.toLowerCase()}`,
    last24Hours: 'Last 24 hours',
    group: 'Group',
    releases: 'Releases',
    select: (key: string) => `Select ${key}`,
    new: 'new',
    regressed: 'regressed',
    /** Said if a search ended before it had scanned all groups. */
    scanned: (count: number, hasFound: boolean) =>
      hasFound
        ? `Searched about ${formatCount(count)} groups.`
        : `No match in about ${formatCount(count)} groups.`,
    lookFurther: 'Keep searching',
    /** @param first number of groups, from the top of the list; null for all that are listed */
    events: (first: number | null) =>
      first === null ? 'Newest events in these groups' : `Newest events in the first ${first} groups`,
    allEvents: (words: string) => `All events with “${words}”`,
  },
  page: {
    notFound: 'Group not found',
    notFoundHint: 'Its events may have been removed, or it belongs to another organization.',
    noKey: (key: string) => `No group has the key ${key}.`,
    allGroups: 'All groups',
    project: 'Project',
    events: 'Events',
    eventsInAll: (count: number) => (count === 1 ? 'event' : 'events'),
    noUsers: 'no users identified',
    noOne: 'No one yet',
    assignedTo: (name: string) => `assigned to ${name}`,
    sentence: (head: Record<'severity' | 'state' | 'owner' | 'figure' | 'lastSeen', string>) =>
      `${head.severity}, ${head.state}, ${head.owner}: ${head.figure}, last seen ${head.lastSeen}.`,
    payments: 'Last 30 days',
    firstSeen: 'First seen',
    lastSeen: 'Last seen',
    inRelease: 'in',
    regressed: (release: string | null, resolvedIn: string | null, by: string | null) => {
      const where = resolvedIn === null ? '' : ` in ${resolvedIn}`;
      const who = by === null ? '' : ` by ${by}`;
      return `Regressed${release === null ? '' : ` in ${release}`} after it was resolved${where}${who}.`;
    },
    allEvents: 'All events',
    chart: 'Events',
    ranges: { minute: 'Last hour', hour: 'Last 24 hours', day: 'Last 30 days' },
    newestEvent: 'Newest event',
    oldestEvent: 'Oldest event',
    event: 'Event',
    oldest: 'Oldest',
    older: 'Older',
    newer: 'Newer',
    newest: 'Newest',
    openEvent: 'Open in events',
    noMessage: '(no message)',
    noEvents: 'Its events are no longer stored.',
    stackTrace: 'Stack trace',
    correlation: 'Correlation',
    payload: 'Payload',
    affected: 'Most affected',
    nobodyNamed: 'These events have no user or order ids. Add `correlation` to see who’s affected.',
    noneStandsOut: (many: string | null) => (many === null ? 'Evenly spread' : `${many}, evenly spread`),
    inNewest: (count: string, isPart: boolean) =>
      `In the ${isPart ? 'newest ' : ''}${count} ${count === '1' ? 'event' : 'events'}`,
    environments: 'Environments',
    releases: 'Releases',
    compare: 'Compare',
    noRelease: 'without a release',
    moreReleases: (count: number, orMore: boolean) => `and ${count}${orMore ? '+' : ''} more`,
    incidents: 'Incidents',
    noIncidents: 'Not in any incident.',
    incidentsApart: 'Resolving the group doesn’t resolve its incidents.',
    merged: 'Merged groups',
    separate: 'Separate',
    separateOne: (key: string) => `Separate ${key}`,
    history: 'History',
    noHistory: 'No changes yet.',
  },
  history: {
    merged: (count: number) => `merged ${count} ${count === 1 ? 'group' : 'groups'} into it`,
    separated: (count: number) => `separated ${count} ${count === 1 ? 'group' : 'groups'} from it`,
    mergedAway: 'merged it into another group',
    takenOut: 'separated it again',
    regressed: (release: string | null) => `Regressed${release === null ? '' : ` in ${release}`}`,
    unmuted: 'The mute ended',
    reopened: 'reopened it',
    /** @param state `resolved in 4.18.0`, `muted until 14:00` */
    became: (state: string) => state.replace(/^(resolved|muted)/, '$1 it'),
    assigned: (name: string) => `assigned it to ${name}`,
    assignedSelf: 'took it',
    unassigned: 'unassigned it',
    changed: 'changed it',
    and: ', ',
  },
  change: {
    resolve: 'Resolve',
    resolveHint: 'A later event reopens it as regressed',
    moreResolve: 'More ways to resolve',
    resolutions: {
      now: 'Now',
      current: 'In the current release',
      next: 'In the next release',
    },
    reopen: 'Reopen',
    mute: 'Mute',
    assign: 'Assign',
    you: 'you',
    undo: 'Undo',
    merge: 'Merge',
    merged: (count: number, key: string) => `Merged ${count} groups into ${key}`,
    notSeparated: (keys: string, reason: string) => `Still merged: ${keys}. ${reason}`,
    clear: 'Clear',
    clearKey: 'Esc',
    selected: (count: number) => `${count} selected`,
    held: (patch: { state?: GroupState; assigneeId?: string | null }, count: number) => {
      const what =
        patch.state === 'resolved'
          ? 'Resolved'
          : patch.state === 'muted'
            ? 'Muted'
            : patch.state === 'open'
              ? 'Reopened'
              : patch.assigneeId === null
                ? 'Unassigned'
                : 'Assigned';
      return count === 1 ? what : `${what} ${count} groups`;
    },
    failed: (keys: string, reason: string) => `Not changed: ${keys}. ${reason}`,
    actions: 'Selected groups',
  },
  mute: {
    /** Label of the menu, and the sentence in it. */
    orSilence: 'Mute or silence',
    difference: (count: number) =>
      count === 1
        ? 'Mute hides the group. Silence stops its messages.'
        : 'Mute hides the groups. Silence stops their messages.',
    hours: (hours: number) => `For ${hours} ${hours === 1 ? 'hour' : 'hours'}`,
    tomorrow: 'Until tomorrow, 9:00',
    week: 'For a week',
    forEver: 'Forever',
    byCount: 'Until more events arrive…',
    dialog: 'Mute until more events arrive',
    count: 'Events',
    minutes: 'Within (minutes)',
    minutesHint: 'Leave empty to count all events from now on.',
    notWhole: (most: number) => `Enter a whole number from 1 to ${most.toLocaleString('en')}.`,
  },
  silence: {
    dialog: (count: number) => `Silence ${count} groups`,
    intro: 'Incidents still open, but nothing is sent.',
    length: 'Length',
    submit: 'Silence',
    done: (count: number) => `Silenced ${count} ${count === 1 ? 'group' : 'groups'}`,
    failed: (keys: string, reason: string) => `Not silenced: ${keys}. ${reason}`,
    ended: (count: number) => `No longer silenced: ${count} ${count === 1 ? 'group' : 'groups'}`,
    notEnded: (keys: string, reason: string) => `Still silenced: ${keys}. ${reason}`,
  },
  keys: {
    next: 'Next group',
    previous: 'Previous group',
    select: 'Select group',
    resolve: 'Resolve group',
    reopen: 'Reopen group',
    mute: 'Mute group',
    assign: 'Assign group',
    events: 'View events',
    clear: 'Clear selection',
    search: 'Search groups',
    back: 'All groups',
    olderEvent: 'Older event',
    newerEvent: 'Newer event',
  },
  empty: {
    noneYet: 'No groups yet',
    howToGet: 'Similar events are grouped as soon as an app sends them.',
    sendEvent: 'Send your first event',
    createProject: 'Create project',
    filtered: 'No matching groups',
    showAll: 'Show all severities',
    states: {
      open: { title: 'Nothing open', text: 'Every warning and error is resolved or muted.' },
      resolved: {
        title: 'Nothing resolved yet',
        text: 'Resolve a group once its cause is fixed. It comes back here as regressed if the error does.',
      },
      muted: {
        title: 'Nothing muted',
        text: 'Mute a group to stop seeing it for a while. Its events are still stored and counted.',
      },
      all: { title: 'No groups here', text: null },
    } satisfies Record<GroupStateChoice, { title: string; text: string | null }>,
  },
  states: { open: 'open', resolved: 'resolved', muted: 'muted' } satisfies Record<GroupState, string>,
  state: {
    resolvedIn: (release: string) => `resolved in ${release}`,
    resolvedInNext: (release: string) => `resolved in the release after ${release}`,
    mutedUntil: (time: string) => `muted until ${time}`,
    mutedForMore: (count: string) => `muted for ${count} more events`,
    mutedForRate: (count: string, period: string) => `muted until ${count} in ${period}`,
    mutedForEver: 'muted',
  },
  counts: {
    events: (count: string) => `${count} ${count === '1' ? 'event' : 'events'}`,
    users: (count: string) => `${count} ${count === '1' ? 'user' : 'users'}`,
    last24Hours: (count: string) => `${count} in the last 24 hours`,
  },
} as const;
