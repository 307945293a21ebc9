import { DOWN, eventsSeries } from '@tocsin/detector';
import { describe, expect, it } from 'vitest';
import type { RiskSeries } from '../../incidents/evidence-schema.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { nameOfSeries } from '../../incidents/wording.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { emptyLead } from '../counts/count-lead.ts';
import { attachSeries } from '../headline/evidence.ts';
import { chooseHeadline } from '../headline/headline.ts';
import { type OpenedAlarm, toAttached } from '../headline/opened-alarm.ts';
import { leadOf } from '../headline/ranking.ts';
import type { ChangeContext } from './change-context.ts';
import { decideIncidentChange } from './decide-incident-change.ts';
import { type IncidentPlan, openedOf } from './plan-incidents.ts';
import {
  alarm,
  CHECKOUT,
  evidenceOf,
  incident,
  MAIL,
  NOW_MS,
  opening,
  PLANS,
  STATES,
  TOTAL,
} from './testing.ts';

const ERRORS: RiskSeries = { ...TOTAL, kind: 'errors' };
const TRAFFIC = eventsSeries('http', 'info', 'web');
const IN_PROPORTION = { exposure: { events: 9_000, failures: 90, usualShare: 0.01, isInProportion: true } };

describe('leadOf', () => {
  const falling = { side: DOWN, rule: 'drop' } as const;
  it.each<[string, OpenedAlarm[], RiskSeries]>([
    ['errors before a stronger rise of traffic', [alarm(TRAFFIC, 5_000), alarm(CHECKOUT, 9)], CHECKOUT],
    ['the higher ratio of equal severity', [alarm(CHECKOUT, 40), alarm(MAIL, 90)], MAIL],
    ['a series before the sum of which it is half', [alarm(ERRORS, 80), alarm(MAIL, 45)], MAIL],
    [
      'a sum before its series where none is half of it',
      [alarm(MAIL, 30), alarm(CHECKOUT, 30), alarm(ERRORS, 100)],
      ERRORS,
    ],
    [
      'the series that falls silent before the whole project, where that is half of the drop',
      [
        alarm(TOTAL, 10, { ...falling, expected: 110 }),
        alarm(TRAFFIC, 0, { ...falling, rule: 'silence', expected: 60 }),
      ],
      TRAFFIC,
    ],
    [
      'the whole project where it falls by more than twice as much as any series',
      [
        alarm(TOTAL, 10, { ...falling, expected: 1_000 }),
        alarm(TRAFFIC, 0, { ...falling, rule: 'silence', expected: 60 }),
      ],
      TOTAL,
    ],
    [
      'the traffic before errors in proportion to it',
      [alarm(TRAFFIC, 5_000, { expected: 300 }), alarm(CHECKOUT, 90, IN_PROPORTION)],
      TRAFFIC,
    ],
    [
      'errors in proportion to traffic that has not risen enough for an alarm',
      [alarm(MAIL, 4), alarm(CHECKOUT, 90, IN_PROPORTION)],
      CHECKOUT,
    ],
    [
      'the whole project where three sources change with it, though one is half of it',
      ['web', 'api', 'pay']
        .map((source) => alarm(eventsSeries('http', 'info', source), 1_000, { expected: 100 }))
        .concat(alarm(TOTAL, 1_800, { expected: 300 })),
      TOTAL,
    ],
  ])('leads with %s', (_, alarms, lead) => {
    for (const order of [alarms, alarms.toReversed()]) expect(leadOf(order)?.series).toEqual(lead);
  });

  it('names nothing where no alarm has opened', () => {
    expect(leadOf([])).toBeNull();
  });
});

/** Applies plans in turn. @returns the incident, and the texts of its timeline entries */
function follow(
  row: IncidentRow,
  steps: [minute: number, plan: IncidentPlan][],
  related: Pick<ChangeContext, 'count'> = { count: null },
) {
  const entries: string[] = [];
  let after = row;
  for (const [minute, plan] of steps) {
    const nowMs = NOW_MS + minute * MINUTE_MS;
    const context: ChangeContext = {
      organizationId: 'organization',
      projectId: 'project',
      nowMs,
      shiftMs: 0,
      headline: chooseHeadline(after, openedOf(plan), { nowMs, shiftMs: 0 }),
      newestEvents: [],
      ...related,
      group: null,
      release: null,
      ongoing: null,
      ofAlerts: null,
      hasOpenAlerts: false,
      previousIncidentId: null,
    };
    const mutation = decideIncidentChange(after, plan, context);
    if (mutation.kind !== 'update') continue;
    after = mutation.incident;
    for (const entry of mutation.entries) entries.push(`${entry.after?.title ?? '-'}: ${entry.note ?? '-'}`);
  }
  return { after, entries };
}

/** An alarm in a minute after now. */
function at(minute: number, series: RiskSeries, observed: number): IncidentPlan {
  return opening({ ...alarm(series, observed), atMs: NOW_MS + minute * MINUTE_MS });
}

const STOCK = eventsSeries('stock', 'error', 'shop');
const furtherEvents = PLANS['further events'];

describe('the headline of an incident', () => {
  it('changes to a worse series at most once in three minutes, and then to the worst of those that waited', () => {
    const { after, entries } = follow(incident(), [
      [0, at(0, MAIL, 100)],
      [1, at(1, STOCK, 900)],
      [2, furtherEvents],
      [3, furtherEvents],
      [4, furtherEvents],
      [30, furtherEvents],
    ]);
    expect(entries).toEqual([
      'mail errors up in post: Now about `mail` errors in `post`: 100 in 1 min, usually about 2.',
      '-: `stock` errors in `shop` too: 900 in 1 min, usually about 2.',
      'stock errors up in shop: Now about `stock` errors in `shop`: 900 in 1 min, usually about 2.',
    ]);
    expect(after.evidence).toMatchObject({ series: STOCK, observed: 900 });
    expect(after.evidence?.alsoSeries.map(nameOfSeries)).toEqual([
      '`mail` errors in `post`',
      '`checkout` errors in `shop`',
    ]);
  });

  it('stays with traffic beside errors that rise in proportion to it', () => {
    const row = incident({
      evidence: evidenceOf(alarm(TRAFFIC, 5_000, { expected: 300 })),
      severity: 'warn',
    });
    const errors = { ...alarm(MAIL, 900, IN_PROPORTION), atMs: NOW_MS + MINUTE_MS };
    expect(follow(row, [[1, opening(errors)]]).after.evidence?.series).toEqual(TRAFFIC);
    const others = {
      ...errors,
      anomaly: {
        ...errors.anomaly,
        exposure: { ...IN_PROPORTION.exposure, failures: 900, isInProportion: false },
      },
    };
    expect(follow(row, [[1, opening(others)]]).after.evidence?.series).toEqual(MAIL);
  });

  it('stays with the rise of all events where three sources take part, though warnings rise further', () => {
    const all = evidenceOf(alarm(TOTAL, 600, { expected: 300 }));
    const sources = (names: string[]) =>
      names.map((source) => toAttached(alarm(eventsSeries('http', 'info', source), 200), 0, NOW_MS));
    const warnings = at(1, eventsSeries('http', 'warn', 'web'), 900);
    for (const [names, headline] of [
      [['web', 'api', 'pay'], TOTAL],
      [['web', 'api'], eventsSeries('http', 'warn', 'web')],
    ] as const) {
      const evidence = attachSeries(all, sources([...names]));
      const row = incident({ evidence, severity: 'warn', type: null, source: null });
      expect(follow(row, [[1, warnings]]).after.evidence?.series).toEqual(headline);
    }
  });

  it('stays with the errors of the whole project until those of one source make up half of their rise', () => {
    const row = incident({ evidence: evidenceOf(alarm(ERRORS, 102)), source: null });
    const rise = (observed: number) => opening({ ...alarm(MAIL, observed, { expected: 0.1 }), atMs: NOW_MS });
    const few = follow(row, [[0, rise(40)]]);
    expect(few.after.evidence?.series).toEqual(ERRORS);
    expect(few.entries).toEqual(['-: `mail` errors in `post` too: 40 in 1 min, usually about 0.1.']);
    expect(follow(row, [[0, rise(60)]]).after.evidence?.series).toEqual(MAIL);
    const critical = eventsSeries('mail', 'critical', 'post');
    const worse = opening({ ...alarm(critical, 40, { expected: 0.1 }), atMs: NOW_MS });
    expect(follow(row, [[0, worse]]).after.evidence?.series).toEqual(critical);
  });

  it('stays where another series is worse by less than one and a half times', () => {
    const { after, entries } = follow(incident(), [[0, at(0, MAIL, 29)]]);
    expect(after.title).toBe(incident().title);
    expect(entries).toEqual(['-: `mail` errors in `post` too: 29 in 1 min, usually about 2.']);
  });

  it('stays where it has risen since it opened as far as the other series', () => {
    const from = new Date(NOW_MS - 61 * MINUTE_MS);
    const risen = incident({ eventCount: 20_000, createdAt: from });
    expect(follow(risen, [[0, at(0, MAIL, 400)]]).after.title).toBe(risen.title);
  });

  it('keeps the numbers of each series that it had', () => {
    const { after } = follow(incident(), [[0, at(0, MAIL, 100)]]);
    expect(after.evidence).toMatchObject({
      series: MAIL,
      observed: 100,
      alsoSeries: [
        { ...CHECKOUT, rule: 'rise', alarmSeverity: 'error', observed: 20, expected: 2, peak: 20 },
      ],
    });
  });

  it('never changes a title by a person', () => {
    const { after, entries } = follow(STATES['open, with a title by a person'], [[0, at(0, MAIL, 100)]]);
    expect(after).toMatchObject({ title: 'Shop is down', titleOrigin: 'person', evidence: { series: MAIL } });
    expect(entries).toEqual(['-: Now about `mail` errors in `post`: 100 in 1 min, usually about 2.']);
  });
});

describe('the entry about a new lead', () => {
  const counted = (eventCount: number) => ({ eventCount, lead: emptyLead(null, NOW_MS) });
  const NOTE =
    'Now about `mail` errors in `post`: 100 in 1 min, usually about 2; 1,234 events instead of 20.';

  it.each(['open', 'open, with a title by a person', 'investigating'] as const)(
    'writes one entry with both counts about a new lead of an incident that is %s',
    (state) => {
      const { entries } = follow(STATES[state], [[0, at(0, MAIL, 100)]], { count: counted(1_234) });
      expect(entries.map((entry) => entry.replace(/^.*?: /, ''))).toEqual([NOTE]);
    },
  );

  it('writes it, too, where a series that was attached earlier takes the lead under a title by a person', () => {
    const evidence = evidenceOf(alarm(CHECKOUT, 20));
    const headlineAt = new Date(NOW_MS - 4 * MINUTE_MS).toISOString();
    const waiting = {
      ...toAttached(alarm(MAIL, 100), 0, NOW_MS),
      at: new Date(NOW_MS - 3 * MINUTE_MS).toISOString(),
    };
    const row = incident({
      title: 'Shop is down',
      titleOrigin: 'person',
      evidence: { ...evidence, headlineAt, alsoSeries: [waiting] },
    });
    const { after, entries } = follow(row, [[0, furtherEvents]], { count: counted(1_234) });
    expect(after).toMatchObject({ title: 'Shop is down', evidence: { series: MAIL } });
    expect(entries).toEqual([`-: ${NOTE}`]);
  });
});

describe('what begins elsewhere and is worse', () => {
  const warned = incident({ evidence: STATES['a new error since long'].evidence, severity: 'warn' });

  it('reports what begins elsewhere and is worse in one entry with the severity, and in the evidence of the frame', () => {
    const { after, entries } = follow(warned, [[0, at(0, MAIL, 400)]]);
    const sentence = 'Something else has begun: `mail` errors in `post`: 400 in 1 min, usually about 2.';
    const lead = 'Now about `mail` errors in `post`: 400 in 1 min, usually about 2.';
    expect(entries).toEqual([`mail errors up in post: Something else has begun.\n${lead}`]);
    expect(after).toMatchObject({
      severity: 'error',
      evidence: { escalation: { sentence, severity: 'error', at: new Date(NOW_MS).toISOString() } },
    });
  });

  it.each<[string, IncidentPlan]>([
    ['a series of a source that takes part', at(0, STOCK, 400)],
    ['a series of another source that is no worse', at(0, eventsSeries('ping', 'info', 'web'), 400)],
    ['a sum', at(0, ERRORS, 400)],
  ])('does not report %s as something else that has begun', (_, plan) => {
    expect(follow(warned, [[0, plan]]).after.evidence?.escalation).toBeNull();
  });

  it('names the events that matched a rule', () => {
    const rule: RiskSeries = { ...TOTAL, kind: 'rule', severity: 'critical' };
    const matched = { type: 'disk_full', source: 'database' };
    const critical = alarm(rule, 1, { rule: 'at_least', expected: 1, matched });
    expect(follow(incident(), [[0, opening(critical)]]).after).toMatchObject({
      title: 'Critical event: disk_full from database',
      evidence: {
        escalation: {
          sentence:
            'Something else has begun: `disk_full` critical events from `database`: 1 in 1 min, matching your rule (at least 1).',
        },
      },
    });
  });
});
