import { DOWN, eventsOf } from '@tocsin/detector';
import { describe, expect, it } from 'vitest';
import type { IncidentMutation } from '../../incidents/mutation.ts';
import type { IncidentRow } from '../../incidents/schema.ts';
import { nameOfSeries } from '../../incidents/wording.ts';
import { decideIncidentChange } from './decide-incident-change.ts';
import { chooseHeadline } from './headline.ts';
import type { IncidentPlan } from './plan-incidents.ts';
import {
  alarm,
  CHECKOUT,
  critical,
  incident,
  MAIL,
  NOW_MS,
  opening,
  PLANS,
  STATES,
  silence,
  TOTAL,
} from './testing.ts';

interface Related {
  ongoing?: IncidentRow;
  previousIncidentId?: string;
}

function decide(row: IncidentRow | null, plan: IncidentPlan, related: Related = {}): IncidentMutation {
  return decideIncidentChange(row, plan, {
    organizationId: 'organization',
    projectId: 'project',
    nowMs: NOW_MS,
    shiftMs: 0,
    headline: chooseHeadline(row, plan, NOW_MS),
    newestEvents: [],
    ongoing: related.ongoing ?? null,
    previousIncidentId: related.previousIncidentId ?? null,
  });
}

/** What differs from the row before, a fact an element. */
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

const QUIET = 'Quiet for a while, or the new normal: nothing about it is unusual any more.';
const MAIL_JOINED = '`mail` errors from `post` joined: 5 in 1 min, usually 2.';
const PAYMENT_JOINED = '`payment` errors from `bank` joined: 400 in 1 min, usually 2.';
const CRITICAL_JOINED =
  '`checkout` critical events from `shop` joined: 1 in 1 min, a rule asks for at least 1.';
const NEW_JOINED = '`checkout` errors from `shop` of a new kind joined: never seen before.';
const TOTAL_JOINED = 'Events of the whole project joined: 500 in 1 min, usually 2.';
const MAIL_ROSE =
  'More `mail` errors from `post`: 5 in 1 min, expected 2 (2.5×); by chance about once in 10 weeks.';
const TO_PAYMENT = '{"title":"Rise: payment errors from bank"}';

const ALSO = {
  checkout: 'also `checkout` errors from `shop`',
  mail: 'also `mail` errors from `post`',
  critical: 'also `checkout` critical events from `shop`',
  newError: 'also `checkout` errors from `shop` of a new kind',
  total: 'also events of the whole project',
};
const PAYMENT_HEADLINE = 'headline `payment` errors from `bank`';

const OPEN: Record<Plan, string[]> = {
  nothing: ['none'],
  'further events': ['update', 'eventCount 23'],
  'the same series': ['update', 'eventCount 25'],
  'a milder series': ['update', 'eventCount 25', ALSO.mail, `entry ${MAIL_JOINED}`],
  'a worse series': [
    'update',
    'title Rise: payment errors from bank',
    'eventCount 420',
    PAYMENT_HEADLINE,
    ALSO.checkout,
    `entry ${TO_PAYMENT} ${PAYMENT_JOINED}`,
  ],
  'a critical event': [
    'update',
    'severity critical',
    'eventCount 21',
    ALSO.critical,
    `entry {"severity":"critical"} ${CRITICAL_JOINED}`,
  ],
  'a new error': ['update', 'eventCount 21', ALSO.newError, `entry ${NEW_JOINED}`],
  'a rise of the total': ['update', 'eventCount 520', ALSO.total, `entry ${TOTAL_JOINED}`],
  'its end': ['update', 'status resolved', `entry {"status":"resolved"} ${QUIET} Resolved by itself.`],
};

const NEW_ERROR_OPEN: Record<Plan, string[]> = {
  ...OPEN,
  'further events': ['update', 'eventCount 4'],
  'the same series': [
    'update',
    'title Rise: checkout errors from shop',
    'eventCount 5',
    'headline `checkout` errors from `shop`',
    ALSO.newError,
    'entry {"title":"Rise: checkout errors from shop"} More `checkout` errors from `shop`: 5 in 1 min, expected 2 (2.5×); by chance about once in 10 weeks.',
  ],
  'a milder series': [
    'update',
    'title Rise: mail errors from post',
    'eventCount 5',
    'headline `mail` errors from `post`',
    ALSO.newError,
    `entry {"title":"Rise: mail errors from post"} ${MAIL_ROSE}`,
  ],
  'a worse series': [
    'update',
    'title Rise: payment errors from bank',
    'severity error',
    'eventCount 400',
    PAYMENT_HEADLINE,
    ALSO.newError,
    'entry {"title":"Rise: payment errors from bank","severity":"error"} More `payment` errors from `bank`: 400 in 1 min, expected 2 (200×); by chance about once in 10 weeks.',
  ],
  'a critical event': [
    'update',
    'title Critical: checkout',
    'severity critical',
    'headline `checkout` critical events from `shop`',
    ALSO.newError,
    'entry {"title":"Critical: checkout","severity":"critical"} 1 critical event in 1 min: `checkout`. A rule of the project asks for at least 1.',
  ],
  'a new error': ['update', 'eventCount 2'],
  'a rise of the total': [
    'update',
    'title Rise: events of the whole project',
    'eventCount 500',
    'headline events of the whole project',
    ALSO.newError,
    'entry {"title":"Rise: events of the whole project"} More events of the whole project: 500 in 1 min, expected 2 (250×); by chance about once in 10 weeks.',
  ],
};

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
  'open, with a title by a person': { ...OPEN, ...withoutTitle(OPEN, ['a worse series']) },
  'open, raised by a person': {
    ...OPEN,
    'a critical event': ['update', 'eventCount 21', ALSO.critical, `entry ${CRITICAL_JOINED}`],
  },
  'open, lowered by a person': {
    ...OPEN,
    'the same series': ['update', 'severity warn', 'eventCount 25', 'entry {"severity":"warn"}'],
    'a milder series': [
      'update',
      'severity warn',
      'eventCount 25',
      ALSO.mail,
      `entry {"severity":"warn"} ${MAIL_JOINED}`,
    ],
    'a worse series': [
      'update',
      'title Rise: payment errors from bank',
      'severity error',
      'eventCount 420',
      PAYMENT_HEADLINE,
      ALSO.checkout,
      `entry {"title":"Rise: payment errors from bank","severity":"error"} ${PAYMENT_JOINED}`,
    ],
    'a new error': [
      'update',
      'severity warn',
      'eventCount 21',
      ALSO.newError,
      `entry {"severity":"warn"} ${NEW_JOINED}`,
    ],
    'a rise of the total': [
      'update',
      'severity warn',
      'eventCount 520',
      ALSO.total,
      `entry {"severity":"warn"} ${TOTAL_JOINED}`,
    ],
  },
  investigating: {
    ...OPEN,
    'its end': ['update', `entry ${QUIET} It stays with whoever investigates it.`],
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
    'the same series': [
      'update',
      'title Rise: checkout errors from shop',
      'eventCount 6',
      'headline `checkout` errors from `shop`',
      ALSO.newError,
      'entry {"title":"Rise: checkout errors from shop"} `checkout` errors from `shop` joined: 5 in 1 min, usually 2.',
    ],
    'a milder series': [
      'update',
      'title Rise: mail errors from post',
      'eventCount 6',
      'headline `mail` errors from `post`',
      ALSO.newError,
      `entry {"title":"Rise: mail errors from post"} ${MAIL_JOINED}`,
    ],
    'a worse series': [
      'update',
      'title Rise: payment errors from bank',
      'severity error',
      'eventCount 401',
      PAYMENT_HEADLINE,
      ALSO.newError,
      `entry {"title":"Rise: payment errors from bank","severity":"error"} ${PAYMENT_JOINED}`,
    ],
    'a critical event': [
      'update',
      'title Critical: checkout',
      'severity critical',
      'eventCount 2',
      'headline `checkout` critical events from `shop`',
      ALSO.newError,
      `entry {"title":"Critical: checkout","severity":"critical"} ${CRITICAL_JOINED}`,
    ],
    'a rise of the total': ['update', 'eventCount 501', ALSO.total, `entry ${TOTAL_JOINED}`],
  },
  'a rise of the total': {
    ...OPEN,
    'the same series': [
      'update',
      ALSO.checkout,
      'entry `checkout` errors from `shop` joined: 5 in 1 min, usually 2.',
    ],
    'a milder series': ['update', ALSO.mail, `entry ${MAIL_JOINED}`],
    'a worse series': [
      'update',
      'title Rise: payment errors from bank',
      'eventCount 400',
      PAYMENT_HEADLINE,
      ALSO.total,
      `entry ${TO_PAYMENT} ${PAYMENT_JOINED}`,
    ],
    'a critical event': [
      'update',
      'title Critical: checkout',
      'severity critical',
      'headline `checkout` critical events from `shop`',
      ALSO.total,
      `entry {"title":"Critical: checkout","severity":"critical"} ${CRITICAL_JOINED}`,
    ],
    'a new error': ['update', ALSO.newError, `entry ${NEW_JOINED}`],
    'a rise of the total': ['update', 'eventCount 500'],
  },
  'of a program that stored no joined series': OPEN,
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
      'title Critical: checkout',
      'titleOrigin generated',
      'severity critical',
      'eventCount 5',
      'riskNumber 7',
      'headline `checkout` critical events from `shop`',
      'also events of the whole project, `mail` errors from `post`',
      'entry {"status":"open","title":"Critical: checkout","severity":"critical"} 1 critical event in 1 min: `checkout`. A rule of the project asks for at least 1.',
    ]);
    expect(mutation).toMatchObject({
      incident: { previousIncidentId: 'previous', createdAt: new Date(NOW_MS), resolvedAt: null },
    });
  });

  it('attaches a series once that alarms twice in one round, and never beside itself', () => {
    const down = alarm(CHECKOUT, 1, { rule: 'drop', side: DOWN, expected: 50 });
    const mutation = decide(null, opening(silence, down, alarm(MAIL, 5), alarm(MAIL, 9)));
    expect(mutation).toMatchObject({
      incident: { evidence: { series: CHECKOUT, alsoSeries: [MAIL], joined: [{ series: MAIL, peak: 9 }] } },
    });
  });

  it('continues an alarm in the incident under investigation, and raises its severity in an entry of its own', () => {
    const ongoing = incident({ status: 'investigating', riskNumber: 3 });
    const back = decide(null, PLANS['the same series'], { ongoing });
    const sentence =
      'More `checkout` errors from `shop`: 5 in 1 min, expected 2 (2.5×); by chance about once in 10 weeks.';
    expect(summarize(ongoing, back)).toEqual([
      'update',
      'eventCount 25',
      'riskNumber 7',
      `entry It is back. ${sentence}`,
    ]);
    const worse = decide(null, opening(alarm(CHECKOUT, 5), critical), { ongoing });
    expect(summarize(ongoing, worse)).toEqual([
      'update',
      'severity critical',
      'eventCount 25',
      'riskNumber 7',
      expect.stringMatching(/^entry It is back\. /),
      'entry {"severity":"critical"}',
    ]);
  });

  it('sets the time of resolution with the end, and only then', () => {
    expect(decide(STATES.open, PLANS['its end'])).toMatchObject({
      incident: { resolvedAt: new Date(NOW_MS) },
    });
    expect(decide(STATES.open, PLANS['further events'])).toMatchObject({ incident: { resolvedAt: null } });
  });

  it('names three attached series at most in one entry', () => {
    const opened = ['a', 'b', 'c', 'd', 'e'].map((type) => alarm(eventsOf(type, 'error', 's'), 1));
    const mutation = decide(STATES.open, opening(...opened));
    expect(mutation).toMatchObject({ entries: [{ note: expect.stringMatching(/And 2 more joined\.$/) }] });
  });
});
