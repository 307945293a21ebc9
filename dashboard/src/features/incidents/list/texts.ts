import { formatCount, formatDuration } from '../../../lib/format.ts';

const OPENS_BY_ITSELF =
  'Incidents open automatically when a project’s events rise or drop sharply, or when one of your rules matches.';

/** Rounds a duration of a minute or more to minutes. */
const roundToMinutes = (seconds: number) => (seconds < 60 ? seconds : Math.round(seconds / 60) * 60);

/** Texts of the list of incidents. */
export const texts = {
  title: 'Incidents',
  create: 'Create incident',
  creation: {
    title: 'Create incident',
    project: 'Project',
    status: 'Status',
    noProject: 'You need a project first.',
    createProject: 'Create project',
  },
  status: { name: 'Status', open: 'Open', investigating: 'Investigating', resolved: 'Resolved', all: 'All' },
  filter: {
    label: 'Filter incidents',
    placeholder: 'Filter by title, reason or project',
    sort: 'Sort by',
    newest: 'Newest first',
    severity: 'Most severe first',
  },
  /** Summary of the last 7 days. */
  summary: ({ opened, medianSeconds }: { opened: number; medianSeconds: number | null }) =>
    `Last 7 days: ${formatCount(opened)} opened${
      medianSeconds === null
        ? ', none resolved'
        : `, median ${formatDuration(roundToMinutes(medianSeconds) * 1_000)} to resolve`
    }`,
  row: {
    select: (title: string) => `Select “${title}”`,
    manual: 'manual',
    schedule: 'schedule',
    alertmanager: 'Alertmanager',
    grafana: 'Grafana',
    opened: 'opened',
    updated: 'updated',
  },
  selection: {
    name: 'Selected incidents',
    count: (count: number) => `${formatCount(count)} selected`,
    investigate: 'Investigate',
    resolve: 'Resolve',
    clear: 'Clear',
    clearKey: 'Esc',
    held: (to: string, count: number) =>
      `${to === 'resolved' ? 'Resolved' : 'Investigating'} ${formatCount(count)}`,
    undo: 'Undo',
    failed: (title: string, why: string) => `“${title}”: ${why}`,
  },
  keys: {
    next: 'Next incident',
    previous: 'Previous incident',
    open: 'Open incident',
    select: 'Select incident',
    investigate: 'Investigate selected incidents',
    resolve: 'Resolve selected incidents',
    create: 'Create incident',
    clear: 'Clear selection',
    undo: 'Undo',
    filter: 'Filter',
  },
  none: {
    open: { title: 'No open incidents', text: OPENS_BY_ITSELF },
    investigating: {
      title: 'Nothing under investigation',
      text: 'Incidents appear here once someone takes them.',
    },
    resolved: { title: 'No resolved incidents yet', text: null },
    all: { title: 'No incidents yet', text: OPENS_BY_ITSELF },
    matching: {
      title: 'No matching incidents',
      text: 'The filter matches titles, reasons and project names.',
    },
  },
};
