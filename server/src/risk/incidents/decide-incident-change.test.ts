import { DOWN, eventsSeries } from '@tocsin/detector';
import { describe, expect, it } from 'vitest';
import type { NewestEvent } from '../../events/read-types.ts';
import type { IncidentMutation } from '../../incidents/mutation.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { toIncident } from '../../incidents/to-incident.ts';
import { describeJoined, nameOfSeries } from '../../incidents/wording.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { isoTime } from '../../platform/time.ts';
import type { LeadCount } from '../counts/count-lead.ts';
import { attachSeries } from '../headline/evidence.ts';
import { chooseHeadline } from '../headline/headline.ts';
import { toAttached } from '../headline/opened-alarm.ts';
import { decideIncidentChange } from './decide-incident-change.ts';
import { type IncidentPlan, openedOf } from './plan-incidents.ts';
import {
  alarm,
  CHECKOUT,
  critical,
  evidenceOf,
  incident,
  MAIL,
  NOW_MS,
  newError,
  opening,
  PLANS,
  STATES,
  silence,
  TOTAL,
} from './testing.ts';

interface RelatedFacts {
  count?: LeadCount;
  ongoing?: IncidentRow;
  ofAlerts?: IncidentRow;
  hasOpenAlerts?: boolean;
  previousIncidentId?: string;
  newestEvents?: NewestEvent[];
}

function decide(row: IncidentRow | null, plan: IncidentPlan, related: RelatedFacts = {}): IncidentMutation {
  return decideIncidentChange(row, plan, {
    organizationId: 'organization',
    projectId: 'project',
    nowMs: NOW_MS,
    shiftMs: 0,
    headline: chooseHeadline(row, openedOf(plan), { nowMs: NOW_MS, shiftMs: 0 }),
    newestEvents: related.newestEvents ?? [],
    count: related.count ?? null,
    group: null,
    release: null,
    ongoing: related.ongoing ?? null,
    ofAlerts: related.ofAlerts ?? null,
    hasOpenAlerts: related.hasOpenAlerts ?? false,
    previousIncidentId: related.previousIncidentId ?? null,
  });
}

/** Differences from the row before, a fact an element. */
function summarize(row: IncidentRow | null, mutation: IncidentMutation): string[] {
  if (mutation.kind === 'none') return ['none'];
  const { incident: after, entries } = mutation;
  const facts: string[] = [mutation.kind];
  for (const field of ['status', 'title', 'titleOrigin', 'severity', 'eventCount', 'riskNumber'] as const) {
    if (row?.[field] !== after[field]) facts.push(`${field} ${after[field]}`);
  }
  const [before, evidence] = [row?.evidence, after.evidence];
  if (evidence && nameOfSeries(evidence.series) !== (before && nameOfSeries(before.series))) {
    facts.push(`headline ${nameOfSeries(evidence.series)}`);
  }
  if (evidence?.alsoSeries.length) facts.push(`also ${evidence.alsoSeries.map(nameOfSeries).join(', ')}`);
  for (const { after: changed, note } of entries) {
    facts.push(`entry ${[...(changed ? [JSON.stringify(changed)] : []), ...(note ? [note] : [])].join(' ')}`);
  }
  return facts;
}

type State = keyof typeof STATES;
type Plan = keyof typeof PLANS;

const QUIET = 'Back to normal, or this is the new baseline.';
const CHECKOUT_JOINED = '`checkout` errors in `shop` too: 5 in 1 min, usually about 2.';
const MAIL_JOINED = '`mail` errors in `post` too: 5 in 1 min, usually about 2.';
const PAYMENT_JOINED = '`payment` errors in `bank` too: 400 in 1 min, usually about 2.';
const CRITICAL_JOINED =
  '`checkout` critical events from `shop` too: 1 in 1 min, matching your rule (at least 1).';
const NEW_JOINED = 'New `checkout` error in `shop` too: “boom”.';
/** Entry about an attached series as that about a new lead. */
const nowAbout = (joined: string) =>
  `Now about ${joined.replace(' too:', ':').replace(/^[A-Z]/, (first) => first.toLowerCase())}`;
const TOTAL_JOINED = 'Events in this project too: 500 in 1 min, usually about 2.';
const ALSO = {
  checkout: 'also `checkout` errors in `shop`',
  mail: 'also `mail` errors in `post`',
  newError: 'also new `checkout` errors in `shop`',
  total: 'also events in this project',
};

interface Update {
  title?: string;
  severity?: string | undefined;
  status?: string;
  headline?: string;
  also?: string;
  note?: string;
}

/** Facts of an update; its entry has what changed, and the note. */
function update({ title, severity, status, headline, also, note }: Update = {}): string[] {
  const changed = { status, title, severity };
  const facts = ['status', 'title', 'severity'] as const;
  const isChanged = facts.some((name) => changed[name] !== undefined);
  return [
    'update',
    ...facts.flatMap((name) => (changed[name] === undefined ? [] : [`${name} ${changed[name]}`])),
    ...(headline === undefined ? [] : [`headline ${headline}`]),
    ...(also === undefined ? [] : [also]),
    ...(isChanged || note !== undefined
      ? [`entry ${[...(isChanged ? [JSON.stringify(changed)] : []), ...(note ? [note] : [])].join(' ')}`]
      : []),
  ];
}

/* Alarms that take the headline over. */
const CHECKOUT_LEADS = { title: 'checkout errors up in shop', headline: '`checkout` errors in `shop`' };
const MAIL_LEADS = { title: 'mail errors up in post', headline: '`mail` errors in `post`' };
const PAYMENT_LEADS = { title: 'payment errors up in bank', headline: '`payment` errors in `bank`' };
const CRITICAL_LEADS = {
  title: 'Critical event: checkout',
  severity: 'critical',
  headline: '`checkout` critical events from `shop`',
};

const OPEN: Record<Plan, string[]> = {
  nothing: ['none'],
  'further events': update(),
  'the same series': update(),
  'a milder series': update({ also: ALSO.mail, note: MAIL_JOINED }),
  'a worse series': update({ ...PAYMENT_LEADS, also: ALSO.checkout, note: nowAbout(PAYMENT_JOINED) }),
  'a critical event': update({ ...CRITICAL_LEADS, also: ALSO.checkout, note: nowAbout(CRITICAL_JOINED) }),
  'a new error': update({ also: ALSO.newError, note: NEW_JOINED }),
  'a rise of the total': update({ also: ALSO.total, note: TOTAL_JOINED }),
  'its end': update({ status: 'resolved', note: `${QUIET} Resolved automatically.` }),
};

const NEW_ERROR_OPEN: Record<Plan, string[]> = {
  ...OPEN,
  'the same series': update({
    ...CHECKOUT_LEADS,
    also: ALSO.newError,
    note: nowAbout(CHECKOUT_JOINED),
  }),
  'a milder series': update({ ...MAIL_LEADS, also: ALSO.newError, note: nowAbout(MAIL_JOINED) }),
  'a worse series': update({
    ...PAYMENT_LEADS,
    severity: 'error',
    also: ALSO.newError,
    note: nowAbout(PAYMENT_JOINED),
  }),
  'a critical event': update({
    ...CRITICAL_LEADS,
    also: ALSO.newError,
    note: nowAbout(CRITICAL_JOINED),
  }),
  'a new error': update(),
  'a rise of the total': update({
    title: 'Events up in this project',
    headline: 'events in this project',
    also: ALSO.newError,
    note: nowAbout(TOTAL_JOINED),
  }),
};

/** `mail` errors have been attached before. */
const MAIL_ATTACHED = Object.fromEntries(
  Object.entries(OPEN).map(([plan, expected]) => [plan, withMail(expected)]),
) as Record<Plan, string[]>;

function withMail(facts: string[]): string[] {
  if (facts[0] === 'none') return facts;
  const { mail, checkout, newError, total } = ALSO;
  const also = facts.find((fact) => fact.startsWith('also ')) ?? mail;
  const [, known] = mail.split('also ');
  const attached = {
    [mail]: mail,
    [checkout]: `${checkout}, ${known}`,
    [newError]: `${mail}, ${newError.slice(5)}`,
    [total]: `${mail}, ${total.slice(5)}`,
  }[also];
  const before = facts.filter((fact) => !/^(also|entry) /.test(fact));
  const entries = facts
    .filter((fact) => fact.startsWith('entry ') && !fact.includes(MAIL_JOINED))
    .map((fact) => (fact.includes(nowAbout(PAYMENT_JOINED)) ? `${fact}\n3 sources by now.` : fact));
  return [...before, ...(attached ? [attached] : []), ...entries];
}

/** The same without the generated title. */
function withoutTitle(expected: Record<Plan, string[]>, plans: Plan[]): Partial<Record<Plan, string[]>> {
  return Object.fromEntries(
    plans.map((plan) => [
      plan,
      expected[plan]
        .filter((fact) => !fact.startsWith('title '))
        .map((fact) => fact.replace(/\{"title":"[^"]*",/, '{').replace(/\{"title":"[^"]*"\} /, '')),
    ]),
  );
}

const EXPECTED: Record<Exclude<State, 'no incident'>, Record<Plan, string[]>> = {
  open: OPEN,
  'open, with a title by a person': {
    ...OPEN,
    ...withoutTitle(OPEN, ['a worse series', 'a critical event']),
  },
  'open, made critical by a person': {
    ...OPEN,
    'a critical event': update({
      ...CRITICAL_LEADS,
      severity: undefined,
      also: ALSO.checkout,
      note: nowAbout(CRITICAL_JOINED),
    }),
  },
  'open, lowered by a person': {
    ...OPEN,
    'the same series': update({
      severity: 'warn',
      note: 'Severity is now warn: `checkout` errors in `shop`, 5 in 1 min, usually about 2.',
    }),
    'a milder series': update({ severity: 'warn', also: ALSO.mail, note: MAIL_JOINED }),
    'a worse series': update({
      ...PAYMENT_LEADS,
      severity: 'error',
      also: ALSO.checkout,
      note: nowAbout(PAYMENT_JOINED),
    }),
    'a new error': update({ severity: 'warn', also: ALSO.newError, note: NEW_JOINED }),
    'a rise of the total': update({ severity: 'warn', also: ALSO.total, note: TOTAL_JOINED }),
  },
  investigating: {
    ...OPEN,
    'its end': update({ note: `${QUIET} Left open because it’s being investigated.` }),
  },
  resolved: Object.fromEntries(Object.keys(PLANS).map((plan) => [plan, ['none']])) as Record<Plan, string[]>,
  'a new error': NEW_ERROR_OPEN,
  'a new error with a title by a person': {
    ...NEW_ERROR_OPEN,
    ...withoutTitle(NEW_ERROR_OPEN, [
      'the same series',
      'a milder series',
      'a worse series',
      'a critical event',
      'a rise of the total',
    ]),
  },
  'a new error since long': {
    ...NEW_ERROR_OPEN,
    'the same series': update({ ...CHECKOUT_LEADS, also: ALSO.newError, note: nowAbout(CHECKOUT_JOINED) }),
    'a milder series': update({ ...MAIL_LEADS, also: ALSO.newError, note: nowAbout(MAIL_JOINED) }),
    'a worse series': update({
      ...PAYMENT_LEADS,
      severity: 'error',
      also: ALSO.newError,
      note: `Something else has begun.\n${nowAbout(PAYMENT_JOINED)}`,
    }),
    'a critical event': update({ ...CRITICAL_LEADS, also: ALSO.newError, note: nowAbout(CRITICAL_JOINED) }),
    'a rise of the total': OPEN['a rise of the total'],
  },
  'a rise of the total': {
    ...OPEN,
    'the same series': update({ also: ALSO.checkout, note: CHECKOUT_JOINED }),
    'a worse series': update({ ...PAYMENT_LEADS, also: ALSO.total, note: nowAbout(PAYMENT_JOINED) }),
    'a critical event': update({ ...CRITICAL_LEADS, also: ALSO.total, note: nowAbout(CRITICAL_JOINED) }),
    'a rise of the total': update(),
  },
  'with an attached series': MAIL_ATTACHED,
};

const TABLE = Object.entries(EXPECTED).flatMap(([state, plans]) =>
  Object.entries(plans).map(([plan, expected]) => [state as State, plan as Plan, expected] as const),
);

describe('decideIncidentChange', () => {
  it.each(TABLE)(
    'changes an incident that is "%s" by the plan "%s" as the table says',
    (state, plan, expected) => {
      const row = STATES[state];
      expect(summarize(row, decide(row, PLANS[plan]))).toEqual(expected);
    },
  );

  it('uses the counted number of events and the counted lead, whatever changes', () => {
    const main = {
      groupId: 'group',
      key: 'SHOP-1',
      title: 'TypeError: cart is undefined',
      source: 'shop',
      severity: 'error' as const,
      share: 0.9,
      releases: [],
    };
    const since = new Date(NOW_MS).toISOString();
    const count = {
      eventCount: 7,
      lead: { groupId: null, since, before: 0, through: since, events: 0, main },
    };
    const ongoing = incident({ status: 'investigating' });
    const changes = [
      decide(null, PLANS['the same series'], { count }),
      decide(null, PLANS['the same series'], { count, ongoing }),
      decide(STATES.open, PLANS['further events'], { count }),
      decide(STATES.open, PLANS['a milder series'], { count }),
      decide(STATES.open, PLANS['a worse series'], { count }),
      decide(STATES['a new error'], PLANS['a worse series'], { count }),
      decide(STATES.open, PLANS['its end'], { count }),
    ];
    for (const change of changes)
      expect(change).toMatchObject({ incident: { eventCount: 7, evidence: { lead: count.lead } } });
    const [opened, , , , replaced] = changes;
    for (const change of [opened, replaced])
      expect(change).toMatchObject({ incident: { title: 'TypeError: cart is undefined in shop' } });
  });

  it('adds the evidence of a new alarm to the incident of alerts, which keeps its title and origin', () => {
    const ofAlerts = incident({
      origin: 'grafana',
      evidence: null,
      riskNumber: null,
      title: 'DiskFull',
      severity: 'critical',
    });
    const change = decide(null, PLANS['the same series'], { ofAlerts });
    expect(summarize(ofAlerts, change)).toEqual([
      'update',
      `riskNumber ${PLANS['the same series'].incident}`,
      'headline `checkout` errors in `shop`',
      expect.stringMatching(/^entry /),
    ]);
    expect(change).toMatchObject({ incident: { origin: 'grafana', source: 'shop' } });
  });

  it('leaves an incident open at the end of its series while alerts fire, and notes that the series is over', () => {
    const change = decide(STATES.open, PLANS['its end'], { hasOpenAlerts: true });
    expect(summarize(STATES.open, change)).toEqual(
      update({ note: `${QUIET} Left open because alerts still fire.` }),
    );
    expect(change).toMatchObject({ incident: { evidence: { endedAt: expect.any(String) } } });
  });

  it('creates no incident without an alarm that has opened', () => {
    for (const plan of ['nothing', 'further events', 'its end'] as const) {
      expect(decide(null, PLANS[plan]), plan).toEqual({ kind: 'none' });
    }
  });

  it('creates an incident that names the most informative of its alarms, the others and the one before', () => {
    const plan = opening(alarm(TOTAL, 40), alarm(MAIL, 5), critical);
    const mutation = decide(null, plan, { previousIncidentId: 'previous' });
    expect(summarize(null, mutation)).toEqual([
      'create',
      'status open',
      'title Critical event: checkout',
      'titleOrigin generated',
      'severity critical',
      'eventCount 0',
      'riskNumber 7',
      'headline `checkout` critical events from `shop`',
      'also events in this project, `mail` errors in `post`',
      'entry {"status":"open","title":"Critical event: checkout","severity":"critical"} Critical event: `checkout`. Matched your rule “any `checkout` critical event from `shop`”.',
    ]);
    expect(mutation).toMatchObject({
      incident: { previousIncidentId: 'previous', createdAt: new Date(NOW_MS), resolvedAt: null },
    });
  });

  it('attaches a series once that alarms twice in one round, and never beside itself', () => {
    const down = alarm(CHECKOUT, 1, { rule: 'drop', side: DOWN, expected: 50 });
    const mutation = decide(null, opening(silence, down, alarm(MAIL, 5), alarm(MAIL, 9)));
    expect(mutation).toMatchObject({
      incident: { evidence: { series: CHECKOUT, alsoSeries: [{ ...MAIL, peak: 9 }] } },
    });
  });

  it('continues an alarm in the incident under investigation, and raises its severity in the same entry', () => {
    const ongoing = incident({ status: 'investigating', riskNumber: 3 });
    const back = decide(null, PLANS['the same series'], { ongoing });
    const sentence = '`checkout` errors in `shop` are 2.5× normal: 5 in 1 min, usually about 2.';
    expect(summarize(ongoing, back)).toEqual(['update', 'riskNumber 7', `entry It’s back. ${sentence}`]);
    const worse = decide(null, opening(alarm(CHECKOUT, 5), critical), { ongoing });
    expect(summarize(ongoing, worse)).toEqual([
      'update',
      'severity critical',
      'riskNumber 7',
      expect.stringMatching(/^entry {"severity":"critical"} It’s back\. /),
    ]);
  });

  it('continues no alarm in a resolved incident, where no later change would reach it', () => {
    const ongoing = incident({ status: 'resolved' });
    expect(() => decide(null, PLANS['the same series'], { ongoing })).toThrow(/in a resolved incident/);
  });

  it('sets the time of resolution with the end, and only then', () => {
    expect(decide(STATES.open, PLANS['its end'])).toMatchObject({
      incident: { resolvedAt: new Date(NOW_MS) },
    });
    expect(decide(STATES.open, PLANS['further events'])).toMatchObject({ incident: { resolvedAt: null } });
  });

  it('names three attached series at most in one entry', () => {
    const opened = ['a', 'b', 'c', 'd', 'e'].map((type) => alarm(eventsSeries(type, 'error', 's'), 1));
    const mutation = decide(STATES.open, opening(...opened));
    expect(mutation).toMatchObject({ entries: [{ note: expect.stringMatching(/And 2 more joined\.$/) }] });
  });

  const ofSources = (sources: string[], changes = {}) =>
    sources.map((source, index) => alarm(eventsSeries('rpc', 'error', source), 100 + index, changes));
  const sentenceOf = (mutation: IncidentMutation) =>
    mutation.kind === 'none' ? null : mutation.incident.evidence?.sentence;

  it('says first how many sources an incident opens with, and which is the worst', () => {
    const mutation = decide(null, opening(...ofSources(['svc1', 'svc2', 'svc3'], { falseAlarmsPerWeek: 0 })));
    expect(sentenceOf(mutation)).toBe(
      '3 sources at once, worst `svc3`. `rpc` errors in `svc3` are 51× normal: 102 in 1 min, usually about 2.',
    );
    expect(sentenceOf(decide(null, opening(...ofSources(['svc1', 'svc2']))))).toMatch(
      /^`rpc` errors in `svc2`/,
    );
  });

  it('names the worst source beside a sum', () => {
    const sum = alarm(eventsSeries('rpc', 'critical', null), 9_000);
    const mutation = decide(null, opening(...ofSources(['svc1', 'svc2', 'svc3']), sum));
    expect(sentenceOf(mutation)).toMatch(/^3 sources at once, worst `svc3`\. `rpc` critical events are /);
  });

  it('keeps the new error with which it began, and its message, whatever takes over', () => {
    const group = { id: 'grp', number: 1, key: 'SHOP-1', title: 'boom' };
    const began = STATES['a new error'];
    const young = { ...began, evidence: began.evidence && { ...began.evidence, group } };
    const rise = decide(young, opening(alarm(CHECKOUT, 5)));
    const [series, message] = [newError.series, 'boom'];
    const kept = { incident: { evidence: { group, alsoSeries: [{ ...series, message }] } } };
    expect(rise).toMatchObject(kept);
    // A headline is kept for three minutes.
    const headlineAt = new Date(NOW_MS - 10 * MINUTE_MS).toISOString();
    const { evidence } = rise.kind === 'none' ? young : rise.incident;
    const earlier = incident({ ...young, evidence: evidence && { ...evidence, headlineAt } });
    expect(decide(earlier, opening(alarm(MAIL, 900)))).toMatchObject({
      incident: { evidence: { series: MAIL, group, alsoSeries: [CHECKOUT, { ...series, message }] } },
    });
  });

  it('words the sentence in the past tense once it is over, also for a person who investigates, until it is back', () => {
    const sentenceAfter = (mutation: IncidentMutation) => {
      if (mutation.kind !== 'update') throw new Error('Nothing changes.');
      return toIncident(mutation.incident).evidence?.sentence;
    };
    const investigating = decide(STATES.investigating, PLANS['its end']);
    const [was, is] = ['were 10× normal', 'are 10× normal'];
    expect(sentenceAfter(investigating)).toContain(was);
    expect(sentenceAfter(decide(STATES.open, PLANS['its end']))).toContain(was);
    expect(sentenceAfter(decide(STATES.investigating, PLANS['further events']))).toContain(is);
    const { incident: over } = investigating as Extract<IncidentMutation, { kind: 'update' }>;
    expect(sentenceAfter(decide(null, PLANS['the same series'], { ongoing: over }))).toContain(is);
  });

  const eventsOf = (count: number, type: string, source: string): NewestEvent[] =>
    Array.from({ length: count }, (_, index) => ({
      id: `0190a000-0000-7000-8000-${String(index).padStart(12, '0')}`,
      correlationId: 'f',
      fingerprint: 'f',
      type,
      severity: 'error',
      source,
    }));

  it('gives a silence one beginning: in its sentence, its evidence and its incident', () => {
    const missing = alarm(CHECKOUT, 0, {
      rule: 'silence',
      side: DOWN,
      expected: 50,
      windowMinutes: 10,
      lastEventMinutesAgo: 1_337,
    });
    const fromOf = (count?: LeadCount) => {
      const mutation = decide(null, opening(missing), { ...(count && { count }) });
      if (mutation.kind === 'none') throw new Error('It has opened.');
      const { evidence } = mutation.incident;
      return [evidence?.from, evidence?.windowSeconds, sentenceOf(mutation)];
    };
    const after = '2026-01-04T13:43:00.001Z';
    expect(fromOf()).toEqual([
      after,
      600,
      'No `checkout` errors in `shop` for 22 h, usually about 5 a minute.',
    ]);
    // An incident that began with something else keeps its beginning.
    const since = '2026-01-05T11:20:00.000Z';
    const lead = { groupId: null, since, before: 0, through: since, events: 0, main: null };
    expect(fromOf({ eventCount: 0, lead })).toEqual([
      since,
      600,
      'No `checkout` errors in `shop` since 11:20 UTC, usually about 5 a minute.',
    ]);
  });

  it('says once how a known series makes its incident worse, under the sentence of its beginning', () => {
    const began = incident({ severity: 'warn', evidence: evidenceOf(alarm(CHECKOUT, 5)) });
    const mutation = decide(began, opening(alarm(CHECKOUT, 70, { windowMinutes: 10, expected: 20 })));
    if (mutation.kind === 'none') throw new Error('It is worse.');
    expect(mutation.incident.severity).toBe('error');
    expect(sentenceOf(mutation)).toBe(began.evidence?.sentence);
    expect(mutation.entries.map(({ note }) => note)).toEqual([
      'Severity is now error: `checkout` errors in `shop`, 70 in 10 min, usually about 20.',
    ]);
    // A series of its own severity is no worse than it is by now.
    const { incident: worse } = mutation;
    expect(
      chooseHeadline({ ...began, ...worse }, [alarm(MAIL, 8)], { nowMs: NOW_MS, shiftMs: 0 }),
    ).toBeNull();
    const again = decide(
      { ...began, ...worse },
      opening(alarm(CHECKOUT, 80, { windowMinutes: 10, expected: 20 })),
    );
    expect(again).toMatchObject({ entries: [] });
  });

  it('says which known series raises a severity that a person has lowered, though the lead is as bad', () => {
    const evidence = attachSeries(evidenceOf(alarm(CHECKOUT, 20)), [toAttached(alarm(MAIL, 5), 0, NOW_MS)]);
    const lowered = incident({ severity: 'warn', evidence: { ...evidence, leadSeverity: 'critical' } });
    const risen = alarm(MAIL, 70, { windowMinutes: 10, expected: 20 });
    const note = 'Severity is now error: `mail` errors in `post`, 70 in 10 min, usually about 20.';
    expect(decide(lowered, opening(risen))).toMatchObject({
      incident: { severity: 'error' },
      entries: [{ after: { severity: 'error' }, note }],
    });
    // It would name a severity that another series exceeds at once.
    const both = decide(lowered, opening(risen, critical));
    expect(both).toMatchObject({ incident: { severity: 'critical' } });
    expect(both).not.toMatchObject({ entries: [{ note: expect.stringContaining('Severity is now') }] });
  });

  it('says once that a known rule is fulfilled elsewhere', () => {
    const rule = { ...TOTAL, kind: 'rule', severity: 'critical' } as const;
    const fulfilled = (matched: { type: string; source: string }) =>
      alarm(rule, 1, { rule: 'at_least', expected: 1, matched });
    const known = fulfilled({ type: 'checkout', source: 'shop' });
    const evidence = attachSeries(evidenceOf(alarm(CHECKOUT, 20)), [toAttached(known, 0, NOW_MS)]);
    // A headline that has just changed stays.
    const headlineAt = isoTime(NOW_MS - MINUTE_MS);
    const lowered = incident({ severity: 'error', evidence: { ...evidence, headlineAt } });
    const elsewhere = decide(lowered, opening(fulfilled({ type: 'disk_full', source: 'database' })));
    expect(elsewhere).toMatchObject({
      incident: { severity: 'critical' },
      entries: [{ note: expect.stringMatching(/^Something else has begun: `disk_full` [^\n]*$/) }],
    });
  });

  it('says how long an attached series has been silent, whatever its earlier alarm was', () => {
    const minutesAgo = (minutes: number) => NOW_MS - minutes * MINUTE_MS;
    const falling = { side: DOWN, expected: 50, windowMinutes: 10 } as const;
    const drop = { ...alarm(MAIL, 5, { ...falling, rule: 'drop' }), atMs: minutesAgo(40) };
    const silent = alarm(MAIL, 0, { ...falling, rule: 'silence', lastEventMinutesAgo: 30 });
    const began = attachSeries(evidenceOf(alarm(CHECKOUT, 20)), [toAttached(drop, 0, NOW_MS)]);
    const [row] = attachSeries(began, [toAttached(silent, 0, NOW_MS)]).alsoSeries;
    expect(row).toMatchObject({
      rule: 'silence',
      at: isoTime(NOW_MS),
      from: isoTime(minutesAgo(30) + 1),
      peak: 5,
    });
    expect(row && describeJoined(row)).toBe('none for 30 min, usually about 50 in 10 min');
    // The same silence, later.
    const longer = { ...silent, atMs: NOW_MS + 20 * MINUTE_MS };
    longer.anomaly = { ...longer.anomaly, lastEventMinutesAgo: 50 };
    const [later] = attachSeries({ ...began, alsoSeries: row ? [row] : [] }, [
      toAttached(longer, 0, longer.atMs),
    ]).alsoSeries;
    expect(later && describeJoined(later)).toBe('none for 50 min, usually about 50 in 10 min');
    // A further alarm of the same change keeps its beginning.
    const [fallen] = attachSeries(began, [toAttached({ ...drop, atMs: NOW_MS }, 0, NOW_MS)]).alsoSeries;
    expect(fallen).toMatchObject({ at: isoTime(drop.atMs), from: isoTime(minutesAgo(50)) });
  });

  it('keeps the time at which a former headline was silent, however late it was written', () => {
    const silent = { ...silence, anomaly: { ...silence.anomaly, lastEventMinutesAgo: 30 } };
    const began = incident({
      severity: 'error',
      evidence: evidenceOf(silent),
      createdAt: new Date(NOW_MS + 3_600_000),
    });
    const mutation = decide(began, PLANS['a critical event']);
    if (mutation.kind === 'none') throw new Error('It is worse.');
    const [former] = mutation.incident.evidence?.alsoSeries ?? [];
    expect(former && describeJoined(former)).toMatch(/^none for 30 min,/);
  });

  it('leads with an attached series that has become worse than the lead', () => {
    const began = incident({
      severity: 'warn',
      evidence: attachSeries(evidenceOf(alarm(CHECKOUT, 5)), [toAttached(alarm(MAIL, 5), 0, NOW_MS)]),
    });
    const mutation = decide(began, opening(alarm(MAIL, 40)));
    if (mutation.kind === 'none') throw new Error('It is worse.');
    expect(mutation.incident.evidence?.series).toEqual(MAIL);
    expect(mutation.entries.map(({ note }) => note).join()).toMatch(/^Now about `mail` errors in `post`/);
  });

  it('names the one series that makes up nearly all of a sum, though only the sum has an alarm', () => {
    const sum = alarm({ ...TOTAL, kind: 'errors' }, 20, { windowMinutes: 90, expected: 0.1 });
    const of = (others: number) => [...eventsOf(18, 'http', 'app'), ...eventsOf(others, 'mail', 'post')];
    const single = decide(null, opening(sum), { newestEvents: of(2) });
    expect(sentenceOf(single)).toMatch(/^`http` errors in `app` are up: 20 in 90 min, usually about 0/);
    expect(single).toMatchObject({
      incident: { title: 'http errors up in app', evidence: { series: { kind: 'errors' } } },
    });
    const several = decide(null, opening(sum), { newestEvents: of(3) });
    expect(sentenceOf(several)).toMatch(/^Errors in this project /);
    const fallen = alarm(TOTAL, 1, { rule: 'drop', side: DOWN, expected: 50 });
    expect(sentenceOf(decide(null, opening(fallen), { newestEvents: of(0) }))).toMatch(/^Events in this pro/);
  });

  it('says of a sum of errors how many sources have more than all usually have, and which is the worst', () => {
    const sum = (expected: number, windowMinutes = 1) =>
      opening(alarm({ ...TOTAL, kind: 'errors' }, 40, { expected, windowMinutes }));
    const newestEvents = [
      ...eventsOf(1, 'rpc', 'svc0'),
      ...eventsOf(4, 'rpc', 'svc1'),
      ...eventsOf(9, 'rpc', 'svc2'),
      ...eventsOf(6, 'rpc', 'svc3'),
    ];
    expect(sentenceOf(decide(null, sum(0.2), { newestEvents }))).toMatch(
      /^3 sources at once, worst `svc2`\. Errors in this project are 200× normal/,
    );
    expect(sentenceOf(decide(null, sum(0.2, 30), { newestEvents }))).toMatch(
      /^3 sources, worst `svc2`\. Errors in this project are /,
    );
    expect(sentenceOf(decide(null, sum(8), { newestEvents }))).toMatch(/^Errors in this project are /);
  });

  it('counts what the sentence has counted among the sources that there are by now', () => {
    const sum = alarm({ ...TOTAL, kind: 'errors' }, 40, { expected: 0.2 });
    const newestEvents = ['svc1', 'svc2', 'svc3'].flatMap((source) => eventsOf(7, 'rpc', source));
    const opened = decide(null, opening(sum), { newestEvents });
    if (opened.kind === 'none') throw new Error('It has opened.');
    expect(sentenceOf(opened)).toMatch(/^3 sources at once/);
    const noteOf = (...sources: string[]) => {
      const mutation = decide(
        incident({ evidence: opened.incident.evidence }),
        opening(...ofSources(sources, { observed: 5 })),
      );
      return mutation.kind === 'none' ? null : mutation.entries.map(({ note }) => note).join('\n');
    };
    expect(noteOf('svc1', 'svc2')).not.toContain('by now');
    expect(noteOf('svc1', 'svc9')).toContain('4 sources by now.');
  });

  it('does not attach the series that names a sum: it would stand there twice', () => {
    const sum = alarm({ ...TOTAL, kind: 'errors' }, 20, { windowMinutes: 90, expected: 0.1 });
    const http = alarm(eventsSeries('http', 'error', 'app'), 18);
    const newestEvents = eventsOf(18, 'http', 'app');
    const opened = decide(null, opening(sum), { newestEvents });
    if (opened.kind === 'none') throw new Error('It has opened.');
    const joined = decide(incident({ evidence: opened.incident.evidence }), opening(http, alarm(MAIL, 5)));
    if (joined.kind === 'none') throw new Error('It has changed.');
    expect(joined.incident.evidence?.alsoSeries).toMatchObject([{ type: 'mail' }]);
    expect(joined.entries.map(({ note }) => note).join()).not.toContain('`http`');
  });

  it('says last how many sources have more traffic, and which has the most', () => {
    const traffic = ['api', 'web', 'app'].map((source, index) =>
      alarm(eventsSeries('login', 'info', source), 900 - index),
    );
    const mutation = decide(null, opening(...traffic, alarm(MAIL, 3, { falseAlarmsPerWeek: 0 })));
    expect(sentenceOf(mutation)).toMatch(/^`mail` errors in `post` /);
    expect(sentenceOf(decide(null, opening(...traffic)))).toBe(
      '`login` events from `api` are 450× normal: 900 in 1 min, usually about 2. 3 sources, most in `api`.',
    );
    expect(sentenceOf(decide(null, opening(...traffic, alarm(TOTAL, 9_000))))).toBe(
      'Events in this project are 4,500× normal: 9,000 in 1 min, usually about 2. 3 sources, most in `api`.',
    );
  });

  it('does not call errors in proportion to more traffic trouble in several sources', () => {
    const exposure = { events: 18_000, failures: 90, usualShare: 0.0052, isInProportion: true };
    const mutation = decide(null, opening(...ofSources(['svc1', 'svc2', 'svc3'], { exposure })));
    expect(sentenceOf(mutation)).toMatch(/^`rpc` errors in `svc3` are .* 3 sources, most in `svc3`\.$/);
  });

  it('says that there are more sources than are listed', () => {
    const sources = Array.from({ length: 30 }, (_, index) => `svc${index}`);
    expect(sentenceOf(decide(null, opening(...ofSources(sources))))).toMatch(
      /^21 or more sources at once, worst /,
    );
  });
});
