import type { Event } from '../../lib/api-types.ts';
import { formatCount, formatEvents } from '../../lib/format.ts';
import { SCRUB_RULES, type ScrubRule } from '../../lib/scrub-rules.ts';

const NAMES: Record<string, string> = {
  q: 'words',
  correlation_id: 'correlation id',
  correlation: 'any id',
  group_id: 'group',
  incident_id: 'incident',
};

/** Texts of the events page. */
export const texts = {
  title: 'Events',
  search: { label: 'Search', placeholder: 'Search messages', key: 'Search events' },
  chart: { title: 'Events over time', show: 'Show chart', hide: 'Hide chart' },
  exports: {
    button: 'Export',
    what: 'Matching events, newest first, up to 100,000',
  },
  live: {
    button: 'Live',
    pause: 'Pause',
    resume: 'Resume',
    skipped: (count: number) => `${formatCount(count)} skipped`,
    whySkipped: 'All are stored.',
    waiting: (count: number, more: boolean) => `${count}${more ? '+' : ''} new`,
  },
  empty: {
    noMatch: 'No matching events in this range',
    none: 'No events yet',
    noneInRange: 'No events in this range',
    createProject: 'Create project',
    send: 'Send your first event',
  },
  filters: {
    /** Returns `user_id` for `correlation.user_id`; a path keeps its `payload`. */
    nameOf: (name: string) => NAMES[name] ?? name.replace(/^correlation\./, ''),
    verb: (excluded: boolean) => (excluded ? 'is not' : 'is'),
    describe: (name: string, value: string, excluded: boolean) =>
      name === 'q' ? `“${value}”` : `${texts.filters.nameOf(name)} ${texts.filters.verb(excluded)} ${value}`,
    list: 'Active filters',
    remove: (name: string, value: string, excluded: boolean) =>
      name === 'q'
        ? `Remove filter “${value}”`
        : `Remove filter ${texts.filters.nameOf(name)}: ${excluded ? 'not ' : ''}${value}`,
    invert: (filter: string, excluded: boolean) =>
      `${filter}. ${excluded ? 'Show only these' : 'Exclude these instead'}`,
    clear: 'Clear filters',
    showOnly: (name: string, value: string) => `Show only ${texts.filters.describe(name, value, false)}`,
    exclude: (name: string, value: string) => `Exclude ${texts.filters.describe(name, value, false)}`,
  },
  form: {
    button: 'Filters',
    severity: 'Severity',
    anySeverity: 'Any severity',
    type: 'Type',
    source: 'Source',
    release: 'Release',
    environment: 'Environment',
    correlation: 'Correlation id',
    fingerprint: 'Fingerprint',
    path: 'Payload path',
    pathHint: 'Such as items.0.sku',
    value: 'Payload value',
    pathMissing: 'Enter a path.',
    pathInvalid: 'Enter up to 16 names between dots.',
    apply: 'Apply',
  },
  offers: {
    label: 'Also found',
    group: (title: string, count: number) => `${title} · ${formatEvents(count)}`,
  },
  event: {
    title: 'Event',
    previous: 'Previous event',
    next: 'Next event',
    close: 'Close',
    closeKey: 'Close the event',
    openGroup: 'open group',
    none: 'none',
    noMessage: '(no message)',
    stackTrace: 'Stack trace',
    asSent: 'Stack and frames as sent',
    payload: 'Payload',
    correlation: 'Correlation',
    sameCorrelation: 'Same correlation',
    sameFingerprint: 'Same fingerprint',
    copyJson: 'Copy as JSON',
    copyCurl: 'Copy as curl',
    no: 'no',
    fields: {
      captured: 'Captured',
      received: 'Received',
      severity: 'Severity',
      type: 'Type',
      source: 'Source',
      release: 'Release',
      environment: 'Environment',
      correlationId: 'Correlation id',
      fingerprint: 'Fingerprint',
      handled: 'Handled',
      amount: 'Amount',
      project: 'Project',
      group: 'Group',
      eventId: 'Event id',
      changed: 'Changed',
      scrubbed: 'Filtered',
    },
    changed: {
      breadcrumbs: 'Breadcrumbs left out',
      clock: 'Time corrected',
      fields: 'Fields shortened or left out',
      frames: 'Stack frames left out',
      severity: 'Severity lowered',
    } satisfies Record<Event['changed'][number], string>,
    /** With a space, since it follows other text; false for an event that stands for itself. */
    weight: (weight: number) => weight > 1 && ` 1 of ${weight} (represents ${weight} events)`,
    scrubbed: (counts: Event['scrubbed']) =>
      Object.entries(counts)
        // Keys of an object of this type.
        .map(([rule, count]) => `${SCRUB_RULES[rule as ScrubRule]}: ${formatCount(count)}`)
        .join(' · '),
  },
  list: {
    newestFirst: 'Newest first',
    oldestFirst: 'Oldest first',
    order: 'Order',
    message: 'Message',
    typeAndSource: 'Type · source',
    loadingMore: 'Loading more…',
    lookFurther: 'Keep searching',
    lookedBack: (found: number, time: string) => `${formatCount(found)}+ found, searched back to ${time}`,
    lookedForward: (found: number, time: string) => `${formatCount(found)}+ found, searched up to ${time}`,
  },
};
