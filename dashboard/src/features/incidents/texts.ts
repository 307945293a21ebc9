import type { Status } from '../../lib/api-types.ts';
import { formatCount, formatDuration, formatEvents } from '../../lib/format.ts';

/** Texts of the page of an incident. */
export const texts = {
  notified: 'Who was notified',
  keys: {
    next: 'Next incident',
    previous: 'Previous incident',
    edit: 'Edit title and severity',
    back: 'Back to the list',
    note: 'Write a note',
  },
  page: {
    title: 'Incident',
    notFound: 'Incident not found',
    all: 'All incidents',
  },
  change: {
    investigate: 'Investigate',
    resolve: 'Resolve',
    investigating: 'Investigating',
    resolved: 'Resolved',
    undo: 'Undo',
    reopen: 'Reopen',
    reopenHint: 'Undoes the resolution, within 10 minutes',
    edit: 'Edit incident',
    title: 'Title',
    titleMissing: 'Give the incident a title.',
    severity: 'Severity',
    save: 'Save',
    cancel: 'Cancel',
    failed: (title: string, why: string) => `“${title}”: ${why}`,
    alreadyChanged: 'Someone else already changed this.',
    unreachable: 'Couldn’t reach the server. Nothing was changed.',
  },
  timeline: {
    title: 'Timeline',
    note: 'Note',
    noteHint: 'Add a note: what you found, what you did',
    addNote: 'Add note',
    addKeys: 'Ctrl Enter',
    noteFailed: 'Couldn’t reach the server. Your note wasn’t added.',
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
    title: 'Groups',
    more: (count: number) => `and ${formatCount(count)} more`,
    share: (share: number, count: number) => `${describeShare(share)} · ${formatEvents(count)}`,
    users: (users: number, isSample: boolean) =>
      `${isSample ? 'at least ' : ''}${formatCount(users)} ${users === 1 ? 'user' : 'users'}`,
    onlyRelease: (release: string) => `only in ${release}`,
    /** Said of a group that other releases had, too; `before` and `more` are those before this one. */
    allFrom: (release: string, before: string[], more: number) => {
      const earlier = more > 0 ? [...before, `${formatCount(more)} more`] : before;
      return `all from ${release} in this incident${earlier.length > 0 ? `, previously in ${earlier.join(', ')}` : ''}`;
    },
    isNew: 'new',
    regressed: (release: string | null, name: string | undefined) =>
      `Regressed after it was resolved${release ? ` in ${release}` : ''}${name ? ` by ${name}` : ''}`,
    firstSeen: (time: string) => `first seen ${time}`,
    /** Label of the link; a narrow list shows its first word. */
    mute: 'Mute',
    orSilence: 'or silence',
    muteOne: (key: string) => `Mute or silence ${key}`,
    states: { resolved: 'resolved', muted: 'muted' },
  },
  changes: {
    compare: 'Compare',
    compareWithBefore: (release: string) => `Compare ${release} with the release before it`,
    deployed: (beforeMs: number) => `deployed ${describeBefore(beforeMs)}`,
    firstSeen: (beforeMs: number) => `first seen ${describeBefore(beforeMs)}`,
    longBefore: 'deployed more than a day before',
    none: 'None deployed in the day before',
    lastDeploy: (beforeMs: number) => `Last deploy ${describeBefore(beforeMs)}: `,
  },
  previous: {
    title: 'Previous incidents',
    lasted: (seconds: number) => formatDuration(1_000 * seconds),
    goesOn: 'not resolved',
    resolvedBy: (name: string) => `resolved by ${name}`,
    resolvedByItself: 'resolved automatically',
    moreNotes: (count: number) => `and ${formatCount(count)} more ${count === 1 ? 'note' : 'notes'}`,
  },
  chart: { title: 'Actual vs. expected', ofPayments: '% of payments' },
  joined: {
    list: 'Also affected',
    further: 'More affected',
    totals: 'also seen in the project’s totals',
    peak: (value: string) => `, peak ${value}`,
    now: (value: string) => `, now ${value}`,
    joined: 'joined',
  },
  head: {
    facts: {
      since: 'Since',
      time: 'Time',
      affected: 'Affected',
      owner: 'Who',
      events: 'Events',
      changed: 'Release',
      origin: 'From',
      links: 'Links',
    },
    edit: 'Edit',
    isOnIt: (name: string) => `${name} is on it`,
    noOne: 'No one yet',
    since: (time: string, duration: string) => `${time} (${duration})`,
    from: (time: string) => `since ${time}`,
    between: (from: string, to: string) => `${from} – ${to}`,
    lasting: (duration: string) => `(${duration})`,
    origins: { manual: 'Manual', alertmanager: 'Alertmanager', grafana: 'Grafana' },
    links: { alert: 'Alert', runbook: 'Runbook', silence: 'Silence at source', dashboard: 'Dashboard' },
    why: 'Why',
    project: 'Project',
    window: (span: string, from: string) => `${span} from ${from}`,
    found: (window: string) => `Found in ${window}`,
    opened: 'opened',
    resolved: 'resolved',
    settings: 'Alert settings',
    events: (count: string) => `${count} ${count === '1' ? 'event' : 'events'}`,
  },
  current: {
    now: 'now',
    atFirst: 'at first',
    none: 'none',
    ofEvents: (share: string, isOfSource: boolean) =>
      `${share} of ${isOfSource ? 'the source’s' : 'all'} events`,
    peak: (rate: string, time: string) => `peak ${rate} at ${time}`,
    lowest: (rate: string, time: string) => `lowest ${rate} at ${time}`,
  },
  affected: {
    title: 'Most affected',
    none: 'These events have no user or order ids. Add `correlation` to see who’s affected.',
    inNewest: (count: number, areMore: boolean) => `In the ${areMore ? 'newest ' : ''}${formatEvents(count)}`,
    atOpening: 'As of when the incident opened.',
    anonymous: (count: number) => `, ${formatCount(count)} without an id`,
    mostFirst: 'most events first',
    noneStandsOut: 'evenly spread',
    events: 'events',
  },
  events: {
    newest: 'Newest events',
    newestOne: 'Newest event',
    lastOne: 'Last event',
    open: 'Open event',
    before: (isDrop: boolean) => `Last events before the ${isDrop ? 'drop' : 'gap'}`,
    all: (count: number) =>
      count > 1
        ? `View all ${formatCount(count)} events`
        : count === 1
          ? 'View the event'
          : 'View all events',
    around: 'View events around this time',
    keptFrom: (time: string) => `Retention removed events before ${time}.`,
    late: 'Events arriving over 3 minutes after the end are listed, not counted.',
  },
  schedule: {
    withoutSuccess: 'without a success',
    never: 'Never',
    succeeded: 'succeeded',
    over: (duration: string) => `over ${duration}`,
    expected: (timetable: string) => `expected ${timetable}`,
    nextDue: 'Next due',
    inZone: (time: string, clock: string, zone: string) => `${time} (${clock} ${zone})`,
    checkIns: 'Check-ins',
    all: 'Schedules',
    gone: 'The schedule was deleted.',
    silence: 'Silence this job…',
    ping: 'Check in manually',
    copy: 'Copy line',
    line: (url: string, slug: string) =>
      `curl -fsS -m 10 --retry 5 -X POST -H "X-Api-Key: $TOCSIN_API_KEY" ${url}/ingest/check-ins/${slug}`,
  },
  surroundings: {
    chart: 'Events in this project',
    events: 'Newest events at that time',
    none: 'No events found.',
    noneBefore: 'No earlier events.',
    notStored: 'These events are no longer stored.',
  },
};

/** Returns `100%`, `7%`, `<1%`. */
function describeShare(share: number): string {
  const percent = Math.round(100 * share);
  if (percent === 0) return '<1%';
  // A share below 1 must not round to 100%.
  return `${percent === 100 && share < 1 ? 99 : percent}%`;
}

function describeBefore(ms: number): string {
  return ms < 1_000 ? 'at the same time' : `${formatDuration(wholeUnits(ms))} before`;
}

/** Rounds to whole minutes from a minute on, and to whole hours from a day on. */
function wholeUnits(ms: number): number {
  if (ms < 60_000) return ms;
  const unitMs = ms < 86_400_000 ? 60_000 : 3_600_000;
  return Math.round(ms / unitMs) * unitMs;
}
