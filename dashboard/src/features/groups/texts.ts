import type { GroupSort, GroupState } from '../../lib/api-types.ts';
import type { GroupMark, GroupStateChoice, MinSeverity } from '../../lib/group-search.ts';

/** What a user reads on the pages of groups. */
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
    nobody: 'Nobody',
    unknownMember: 'Former member',
    marks: { new: 'New', regressed: 'Regressed' } satisfies Record<GroupMark, string>,
    markHints: {
      new: 'First seen in the last 24 hours',
      regressed: 'Came back after they were resolved',
    } satisfies Record<GroupMark, string>,
    filters: 'Filters',
    release: 'Release',
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
    moved: (count: number) => `${count} new`,
    showMoved: 'Show',
  },
  page: {
    title: 'Group',
  },
  keys: {
    next: 'Next group',
    previous: 'Previous group',
    select: 'Select the group',
    clear: 'Clear the selection',
    search: 'Search groups',
  },
  empty: {
    noneYet: 'No groups yet',
    howToGet: 'Events of the same kind become one group as soon as an app sends them.',
    sendEvent: 'Send your first event',
    createProject: 'Create project',
    filtered: 'No matching groups',
    onlyInfo: 'No warnings or errors',
    onlyInfoHint: 'The groups here are routine events of severity info.',
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
