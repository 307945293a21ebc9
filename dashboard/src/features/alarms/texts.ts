import {
  formatAmount,
  formatSpan,
  nameOfEvents,
  nameOfShare,
} from '../../../../server/src/incidents/wording.ts';
import type { DecisionOutcome, Preview, Suppression } from '../../lib/api-types.ts';
import { formatCount } from '../../lib/format.ts';

const countIncidents = (count: number) => `${formatCount(count)} ${count === 1 ? 'incident' : 'incidents'}`;

/** Texts of the pages of a project's alerts and of its watched series. */
export const texts = {
  settings: {
    title: 'Sensitivity',
    sensitivities: { low: 'Low', normal: 'Normal', high: 'High', custom: 'Custom' },
    falseAlarms: (perWeek: number) =>
      perWeek <= 0.5
        ? `About 1 false alarm in ${Math.round(1 / perWeek)} weeks`
        : `About ${perWeek.toLocaleString('en')} ${perWeek === 1 ? 'false alarm' : 'false alarms'} a week`,
    newKinds: 'Open an incident for errors never seen before',
    newKindsHint: 'After a day of history.',
    save: 'Save',
    saved: 'Saved',
    wholeBetween: (min: number, max: number) =>
      `Enter a whole number from ${min} to ${max.toLocaleString('en')}.`,
  },
  rules: {
    title: 'Rules',
    hint: 'A matching rule always opens an incident.',
    add: 'Add rule',
    full: (most: number) => `A project can have up to ${most} rules.`,
    name: (number: number) => `Rule ${number}`,
    type: 'Type',
    severity: 'Severity',
    source: 'Source',
    any: 'any',
    ruleName: 'Name',
    optional: 'optional',
    path: 'Payload field',
    condition: 'Condition',
    operators: { equals: 'is', not: 'is not', greater: 'is over', less: 'is under', exists: 'is set' },
    value: 'Value',
    percent: 'Share (more than %)',
    events: 'Events (at least)',
    minutes: 'Within (minutes)',
    remove: 'Remove',
    removeNamed: (number: number) => `Remove rule ${number}`,
    wrongPath: (most: number) => `Enter up to ${most} keys with dots between, such as customer.plan.`,
    enterNumber: 'Enter a number.',
    percentBetween: (min: number, max: number) => `Enter a number from ${min} to ${max}.`,
    shareOfWhat: 'Choose a severity or a payload field, too.',
    /** @param since beginning of the time that was looked at, if that is less than the past 30 days */
    past: (count: number, since: string | null, last: string | null) => {
      const time = since === null ? 'Past 30 days' : `Since ${since}`;
      return last === null
        ? `${time}: no incidents.`
        : `${time}: ${countIncidents(count)}, the last on ${last}.`;
    },
    read: (events: number) => `Looked at the newest ${formatCount(events)} matching events.`,
    showPast: 'Show the past 30 days',
    looking: 'Past 30 days: …',
    failed: (message: string) => `No preview: ${message}`,
    openings: 'When',
  },
  preview: {
    title: 'Test this setting on past data',
    days: 'Period',
    lastDays: (days: number) => (days === 1 ? 'Last day' : `Last ${days} days`),
    run: 'Run test',
    /** @param origins the causes of the incidents, with their counts */
    result: (count: number, origins: string[]) =>
      count === 0
        ? 'No incidents'
        : `${countIncidents(count)}${origins.length > 0 ? `: ${origins.join(', ')}` : ''}`,
    range: (from: string, to: string, sensitivity: string) =>
      `${from} to ${to} · Sensitivity: ${sensitivity}`,
    none: {
      title: 'No incidents would have opened',
      text: 'Nothing in this period was unusual enough. A higher sensitivity may show more.',
    },
    list: 'Incidents that would have opened',
    strips: 'When they would have opened',
    count: countIncidents,
    more: (count: number) => `and ${formatCount(count)} more`,
    lasted: (duration: string) => `for ${duration}`,
    stillOpen: 'still open',
  },
  /** Counts of incidents by cause: "4 from detection". */
  origins: {
    budget: (count: number) => `${formatCount(count)} from detection`,
    newKinds: (count: number) => `${formatCount(count)} from errors never seen before`,
    rule: (count: number, rule: string) => `${formatCount(count)} from your rule “${rule}”`,
  },
  originNames: { budget: 'Detection', newKinds: 'Errors never seen before' },
  /** Names a rule by its condition: "any critical event", "at least 10 errors in 5 min". */
  nameOfRule: ({
    rule,
    ruleName,
    series,
    expected,
    windowSeconds,
  }: Pick<Preview['incidents'][number], 'rule' | 'ruleName' | 'series' | 'expected' | 'windowSeconds'>) => {
    if (ruleName !== undefined) return ruleName;
    const span = formatSpan(windowSeconds / 60);
    if (rule === 'above_share')
      return `more than ${expected}% of ${nameOfShare(series)} in ${span}`.replaceAll('`', '');
    const name =
      expected === 1
        ? `any ${nameOfEvents(series, true)}`
        : `at least ${formatAmount(expected)} ${nameOfEvents(series)} in ${span}`;
    return name.replaceAll('`', '');
  },
  decisions: {
    title: 'Quiet log',
    hint: 'Anomalies in the last 7 days, and why they opened no incident.',
    outcome: 'Outcome',
    all: 'all outcomes',
    list: 'Decisions',
    viewIncident: 'View incident',
    none: {
      title: 'Nothing unusual in the last 7 days',
      text: 'Anything out of the ordinary will show up here, with the reason if it opens no incident.',
    },
    noneKeptQuiet: {
      title: 'Nothing kept quiet in the last 7 days',
      text: 'Anything unusual that opens no incident shows up here with the reason. Choose “all outcomes” to see everything.',
    },
    noneOfOutcome: {
      title: 'Nothing with this outcome',
      text: 'Choose “all outcomes” to see everything.',
    },
    outcomes: {
      suppressed: 'kept quiet',
      opened: 'opened an incident',
      joined: 'joined an incident',
      closed: 'back to normal',
      resolved: 'recovered, resolved',
      left_open: 'recovered, left open',
    } satisfies Record<DecisionOutcome, string>,
    /** Reasons why an anomaly opened no incident. */
    reasons: {
      small_effect: 'Unusual, but too small to matter.',
      hour_of_week: 'Same as this time last week.',
      recovery: 'Returning to normal.',
      fewer_errors: 'Fewer errors is good news.',
      late: 'Imported or delivered late, so it says nothing about now.',
      new_kinds_are_usual: 'New errors are common in this project.',
      declared: 'A schedule already watches this job.',
    } satisfies Record<Suppression, string>,
  },
  watched: {
    title: 'Watched series',
    none: {
      title: 'Nothing is watched yet',
      text: 'Each series appears here with its first event, by type, severity and source.',
    },
    hint: 'Counts that open an incident now, higher for days after trouble. As of',
    filter: 'Filter by name',
    count: (matching: number, all: number) =>
      matching === all ? `${all} series` : `${matching} of ${all} series`,
    noMatch: { title: 'No series with this name', text: 'Names contain type, severity and source.' },
    thresholds: {
      rise: (count: string, span: string) =>
        `opens at about ${count} in ${span === '1 min' ? 'a minute' : span} now`,
      failures: (failures: string) => `opens at ${failures}`,
      silence: (time: string) => `opens without an event until ${time}`,
      overdue: (time: string) => `overdue since ${time}`,
      none: 'no count opens an incident now',
    },
    details: {
      rate: 'Usual rate',
      share: 'Usual failures',
      rises: 'Opens at or above',
      failures: 'Opens at or above, failures',
      drops: 'Opens at or below',
      overdue: 'Overdue',
      lastEvent: 'Last event',
      dispersion: 'Dispersion (1 is pure chance)',
    },
    learning: 'still learning',
    notDue: 'not within 4 weeks',
    due: (time: string, isPast: boolean) => `${isPast ? 'since' : 'at'} ${time}`,
    usually: (rate: string) => `usually ${rate}`,
    perMinute: (amount: string) => `${amount} a minute`,
    perHour: (amount: string) => `${amount} an hour`,
    perDay: (amount: string) => `${amount} a day`,
    almostNever: 'almost never',
  },
};
