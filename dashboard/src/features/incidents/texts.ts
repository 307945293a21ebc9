import type { Status } from '../../lib/api-types.ts';
import { formatCount, formatDuration } from '../../lib/format.ts';

/** What a user reads on the pages of incidents. */
export const texts = {
  notified: 'Who was notified',
  keys: {
    next: 'Next incident of the list',
    previous: 'Previous incident of the list',
    edit: 'Edit title and severity',
    back: 'Back to the list',
    note: 'Write a note',
  },
  page: {
    title: 'Incident',
    notFound: 'Incident not found',
    whyNotFound: 'Its project may have been deleted, or it belongs to another organization.',
    all: 'All incidents',
  },
  change: {
    investigate: 'Investigate',
    resolve: 'Resolve',
    investigating: 'Investigating',
    resolved: 'Resolved',
    undo: 'Undo',
    reopen: 'Reopen',
    reopenHint: 'Undoes the resolution; possible for 10 minutes',
    edit: 'Edit incident',
    title: 'Title',
    titleMissing: 'Give the incident a title.',
    severity: 'Severity',
    save: 'Save',
    cancel: 'Cancel',
    failed: (title: string, why: string) => `“${title}”: ${why}`,
    alreadyChanged: 'Someone else already changed this.',
    unreachable: 'Couldn’t reach the server, so nothing was changed. Try again once you’re back online.',
  },
  create: {
    title: 'Create incident',
    project: 'Project',
    status: 'Status',
    noProject: 'Incidents belong to a project, and you don’t have one yet.',
    createProject: 'Create project',
  },
  timeline: {
    title: 'Timeline',
    note: 'Note',
    noteHint: 'Add a note: what you found, what you did',
    addNote: 'Add note',
    addKeys: 'Ctrl Enter',
    noteFailed: 'Couldn’t reach the server, so your note wasn’t added. Try again once you’re back online.',
    earlier: 'Show earlier entries',
    opened: (details: string) => `Opened automatically${details}`,
    created: (details: string) => `created this incident${details}`,
    undid: 'undid the resolution',
    became: {
      open: 'reopened this',
      investigating: 'started investigating',
      resolved: 'resolved this',
    } satisfies Record<Status, string>,
    severity: (from: string | null, to: string) => `changed severity from ${from ?? 'unknown'} to ${to}`,
    renamed: (from: string, to: string) => `renamed “${from}” to “${to}”`,
    noted: 'added a note',
    changed: 'made a change',
  },
  groups: {
    title: 'What it is',
    more: (count: number) => `and ${formatCount(count)} more`,
    share: (share: number, count: number) =>
      `${describeShare(share)} · ${formatCount(count)} ${count === 1 ? 'event' : 'events'}`,
    users: (users: number, isSample: boolean) =>
      `${isSample ? 'at least ' : ''}${formatCount(users)} ${users === 1 ? 'user' : 'users'}`,
    onlyRelease: (release: string) => `only in ${release}`,
    regressed: (release: string | null, name: string | null) =>
      `Regressed: resolved${release ? ` in ${release}` : ''}${name ? ` by ${name}` : ''} before`,
    firstSeen: (time: string) => `first seen ${time}`,
    mute: 'Mute',
    muteOne: (key: string) => `Mute ${key}`,
    muteHint: 'Mutes the group; the incident stays open',
    states: { resolved: 'resolved', muted: 'muted' },
    newest: 'Newest event',
    openEvent: 'Open event',
  },
  changes: {
    /** All the newest events of the incident come from one release. */
    allFrom: (events: number, areMore: boolean) =>
      areMore
        ? `The newest ${formatCount(events)} all from`
        : events === 1
          ? 'From'
          : `All ${formatCount(events)} from`,
    mostFrom: (share: number, events: number, areMore: boolean) =>
      `${describeShare(share)} of ${areMore ? 'the newest ' : ''}${formatCount(events)} from`,
    compare: 'Compare',
    compareWithBefore: (release: string) => `Compare ${release} with the release before it`,
    deployed: (beforeMs: number) => `deployed ${describeBefore(beforeMs)}`,
    firstSeen: (beforeMs: number) => `first seen ${describeBefore(beforeMs)}`,
    longBefore: 'deployed more than a day before',
    lastDeploy: (beforeMs: number) => `Last deploy ${describeBefore(beforeMs)}:`,
  },
  previous: {
    title: 'Before',
    lasted: (seconds: number) => formatDuration(1_000 * seconds),
    goesOn: 'not resolved',
    resolvedBy: (name: string) => `resolved by ${name}`,
    resolvedByItself: 'resolved automatically',
    moreNotes: (count: number) => `and ${formatCount(count)} more ${count === 1 ? 'note' : 'notes'}`,
  },
  chart: { title: 'Actual vs. expected', ofPayments: '% of payments' },
  joined: {
    list: 'Joined',
    further: 'Joined, further',
    peak: (value: string) => `, peak ${value}`,
    now: (value: string) => `, now ${value}`,
    joined: 'joined',
    more: (count: number) => `and ${formatCount(count)} more`,
    and: 'and',
  },
  head: {
    facts: {
      severity: 'Severity',
      status: 'Status',
      project: 'Project',
      events: 'Events',
      time: 'Time',
      affected: 'Affected',
      now: 'Now',
      changed: 'What changed',
    },
    edit: 'Edit',
    isOnIt: (name: string) => `${name} is on it`,
    since: (time: string, duration: string) => `since ${time} (${duration})`,
    between: (from: string, to: string, duration: string) => `${from} – ${to} (${duration})`,
    manual: 'created manually',
    schedule: 'of a schedule',
    why: 'Why',
    window: (span: string, from: string) => `${span} from ${from}`,
    found: (window: string) => `Found in ${window}`,
    opened: 'opened',
    resolved: 'resolved',
    settings: 'Alert settings',
    affected: (people: string, isSample: boolean) => (isSample ? `at least ${people}` : people),
    events: (count: string) => `${count} ${count === '1' ? 'event' : 'events'}`,
  },
  current: {
    now: (rate: string) => `now ${rate}`,
    none: 'none',
    usual: (rate: string) => `(usually ${rate})`,
    peak: (rate: string, time: string) => `peak ${rate} at ${time}`,
    lowest: (rate: string, time: string) => `lowest ${rate} at ${time}`,
  },
  affected: {
    title: 'Most affected',
    none: 'No user or order ids on these events. Add `correlation` to see who’s affected.',
    inNewest: (count: number, areMore: boolean) =>
      `In the ${areMore ? 'newest ' : ''}${formatCount(count)} ${count === 1 ? 'event' : 'events'}`,
    atOpening: 'From when the incident opened.',
    notStored: 'Its events are no longer stored.',
    anonymous: (count: number) => `, ${formatCount(count)} without an id`,
    mostFirst: 'most events first',
    noneStandsOut: 'none stands out',
    events: 'events',
    late: (count: number) =>
      `, ${formatCount(count)} older ${count === 1 ? 'one' : 'ones'} left out (imported or delayed)`,
  },
  surroundings: {
    chart: 'Events in this project',
    events: 'Newest events at that time',
    viewAll: 'View all events',
    noEvents: 'No events in this project at that time.',
    none: 'No events found.',
    noneBefore: 'No events found in the hour before.',
    notStored: 'These events are no longer stored.',
  },
};

/** `100%`, `7%`, `<1%`. */
function describeShare(share: number): string {
  const percent = Math.round(100 * share);
  if (percent === 0) return '<1%';
  // Not all is not all.
  return `${percent === 100 && share < 1 ? 99 : percent}%`;
}

function describeBefore(ms: number): string {
  return ms < 1_000 ? 'at the same time' : `${formatDuration(wholeUnits(ms))} before`;
}

/** To whole minutes from one minute on, and to whole hours from a day on: more says nothing. */
function wholeUnits(ms: number): number {
  if (ms < 60_000) return ms;
  const unitMs = ms < 86_400_000 ? 60_000 : 3_600_000;
  return Math.round(ms / unitMs) * unitMs;
}
