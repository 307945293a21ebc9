import { formatCount, formatDuration } from '../../lib/format.ts';

/** What a user reads on the pages of incidents. */
export const texts = {
  keys: {
    next: 'Next incident of the list',
    previous: 'Previous incident of the list',
    edit: 'Edit title and severity',
    back: 'Back to the list',
    note: 'Write a note',
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
  head: {
    isOnIt: (name: string) => `${name} is on it`,
    since: (time: string, duration: string) => `since ${time} (${duration})`,
    between: (from: string, to: string, duration: string) => `${from} – ${to} (${duration})`,
    manual: 'created manually',
    schedule: 'of a schedule',
    why: 'Why',
    found: (window: string) => `Found in ${window}`,
    opened: 'opened',
    resolved: 'resolved',
    settings: 'Alert settings',
    affected: (people: string, isSample: boolean) => (isSample ? `at least ${people}` : people),
  },
  current: {
    now: (rate: string) => `now ${rate}`,
    none: 'none',
    usual: (rate: string) => `(usually ${rate})`,
    peak: (rate: string, time: string) => `peak ${rate} at ${time}`,
    lowest: (rate: string, time: string) => `lowest ${rate} at ${time}`,
  },
  affected: {
    late: (count: number) =>
      `, ${formatCount(count)} older ${count === 1 ? 'one' : 'ones'} left out (imported or delayed)`,
  },
  surroundings: {
    chart: 'Events in this project',
    events: 'Newest events at that time',
    viewAll: 'View all events',
    noEvents: 'No events in this project at that time.',
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
