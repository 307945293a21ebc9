import { expect, it } from 'vitest';
import { takeToken } from './bucket.ts';
import { nextAttempt } from './retries.ts';
import type { Situation, WaitingDelivery } from './situation.ts';
import { aWaiting, NOTHING_RECENT, planFor } from './testing.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

const wait = (id: string, subjectId: string, rest: Partial<WaitingDelivery> = {}) =>
  aWaiting(id, NOW, { subjectId, ...rest });
const plan = (waiting: WaitingDelivery[], rest: Partial<Situation> = {}) => planFor(waiting, NOW, rest);

it('sends the newest change of an incident, and collapses those before it', () => {
  expect(plan([wait('1', 'a'), wait('2', 'a', { change: 'resolved' })])).toMatchObject([
    { kind: 'send', delivery: { id: '2' }, isEdit: false, collapsed: ['1'] },
  ]);
});

it('sends ten messages, the worst first, and gathers the rest for a digest', () => {
  const waiting = Array.from({ length: 15 }, (_, index) =>
    wait(String(index), `i${index}`, { severity: index === 14 ? 'critical' : 'error' }),
  );
  const steps = plan(waiting);
  expect(steps.filter(({ kind }) => kind === 'send')).toHaveLength(10);
  expect(steps[0]).toMatchObject({ kind: 'send', delivery: { id: '14' } });
  expect(steps.at(-1)).toMatchObject({ kind: 'postpone', untilMs: NOW + 5_000 });
  const recent = { ...NOTHING_RECENT, messages: 10 };
  const later = plan(waiting.slice(0, 5), { recent, nowMs: NOW + 5_000 });
  expect(later).toEqual([
    { kind: 'digest', ids: ['0', '1', '2', '3', '4'], severity: 'error', routeId: null },
  ]);
});

it('sends two digests in ten minutes where a message cannot be edited', () => {
  const waiting = Array.from({ length: 20 }, (_, index) => wait(String(index), `i${index}`));
  const digestsMs = [NOW - 90_000, NOW - 30_000];
  const [step] = plan(waiting, { recent: { ...NOTHING_RECENT, messages: 10, digestsMs } });
  expect(step).toMatchObject({ kind: 'postpone', untilMs: NOW - 90_000 + 600_000 });
});

it.each([
  { digestsMs: [], untilMs: NOW + 60_000 },
  { digestsMs: [NOW - 90_000], untilMs: NOW - 90_000 + 600_000 },
])('counts a digest that waits to be sent beside $digestsMs.length that went', ({ digestsMs, untilMs }) => {
  const digest = wait('d', 'd', { subjectKind: 'digest', change: 'digest' });
  const late = wait('1', 'a', { createdMs: NOW - 30_000 });
  const recent = { ...NOTHING_RECENT, messages: 10, digestsMs };
  expect(plan([digest, late], { recent })).toMatchObject([
    { kind: 'send', delivery: { id: 'd' } },
    { kind: 'postpone', ids: ['1'], untilMs },
  ]);
});

it('counts the digest of a budget among the ten messages', () => {
  const digest = wait('d', 'd', { subjectKind: 'digest', change: 'over_budget' });
  const waiting = [digest, ...Array.from({ length: 10 }, (_, index) => wait(String(index), `i${index}`))];
  expect(plan(waiting).filter(({ kind }) => kind === 'send')).toHaveLength(10);
});

const FULL = { messages: 10, criticals: 0, digestsMs: [NOW - 90_000, NOW - 30_000] };
const critical = (id: string, rest: Partial<WaitingDelivery> = {}) =>
  wait(id, id, { severity: 'critical', ...rest });

it.each<[string, WaitingDelivery, boolean]>([
  ['an incident that opens at critical', critical('c'), true],
  ['one that reaches critical', critical('c', { change: 'worse' }), true],
  ['a job that is missed', critical('c', { subjectKind: 'schedule', change: 'schedule_missed' }), true],
  ['one that is resolved', critical('c', { change: 'resolved' }), false],
  ['a new group', critical('c', { subjectKind: 'group', change: 'group_new' }), false],
  ['one of severity error', wait('c', 'c'), false],
])('sends beyond the bound on a storm what is critical: %s', (_, delivery, isSent) => {
  const [first] = plan([wait('1', 'a'), delivery], { recent: FULL });
  if (isSent) expect(first).toMatchObject({ kind: 'send', delivery: { id: 'c' } });
  else expect(first).toMatchObject({ kind: 'postpone', ids: expect.arrayContaining(['1', 'c']) });
});

it.each([
  { sent: 0, passed: 5 },
  { sent: 3, passed: 2 },
  { sent: 5, passed: 0 },
])('lets $passed critical incidents pass beyond the bound after $sent of them', ({ sent, passed }) => {
  const waiting = Array.from({ length: 8 }, (_, index) => critical(String(index)));
  const steps = plan(waiting, { recent: { ...FULL, messages: 10 + sent, criticals: sent } });
  expect(steps.filter(({ kind }) => kind === 'send')).toHaveLength(passed);
  expect(steps.at(-1)).toMatchObject({
    kind: 'postpone',
    ids: waiting.slice(passed).map(({ id }) => id),
    untilMs: NOW - 90_000 + 600_000,
  });
});

it('counts what is critical among the ten messages while there is room', () => {
  const waiting = Array.from({ length: 12 }, (_, index) => critical(String(index)));
  expect(plan(waiting).filter(({ kind }) => kind === 'send')).toHaveLength(10);
});

it('sends what is critical before edits and before what is tried again', () => {
  const threads = new Map([['e', { isEditable: true, sentMs: NOW - 60_000 }]]);
  const waiting = [wait('1', 'e', { change: 'resolved' }), wait('2', 'b', { attempts: 1 }), critical('3')];
  const steps = plan(waiting, { threads, canEdit: true });
  expect(steps.map((step) => step.kind === 'send' && step.delivery.id)).toEqual(['3', '1', '2']);
});

it('holds what is older than a day before its first attempt, and nothing that was attempted', () => {
  const createdMs = NOW - 25 * 3_600_000;
  expect(plan([wait('1', 'a', { createdMs })])).toEqual([{ kind: 'hold', ids: ['1'] }]);
  expect(plan([wait('1', 'a', { createdMs, attempts: 3 })])).toMatchObject([{ kind: 'send' }]);
});

it('edits a message that was sent, joined series once in ten minutes', () => {
  const threads = new Map([['a', { isEditable: true, sentMs: NOW - 60_000 }]]);
  const about = { threads, canEdit: true };
  expect(plan([wait('1', 'a', { change: 'acknowledged' })], about)).toMatchObject([
    { kind: 'send', isEdit: true },
  ]);
  expect(plan([wait('1', 'a', { change: 'updated' })], about)).toMatchObject([
    { kind: 'postpone', untilMs: NOW + 540_000 },
  ]);
  expect(plan([wait('1', 'a', { change: 'updated' })])).toEqual([
    { kind: 'drop', ids: ['1'], reason: 'nothing_to_edit' },
  ]);
});

it('grants a burst, then the rate', () => {
  const rate = { burst: 5, perSecond: 5 };
  let untilMs = 0;
  for (let count = 0; count < 5; count++) {
    const taken = takeToken(untilMs, rate, NOW);
    expect(taken.waitMs).toBe(0);
    untilMs = taken.untilMs;
  }
  expect(takeToken(untilMs, rate, NOW).waitMs).toBe(200);
  expect(takeToken(untilMs, rate, NOW + 200).waitMs).toBe(0);
});

it('tries again by the schedule with a jitter of a fifth, as asked, and ten times in all', () => {
  const next = (attempts: number, random: number, retryAfterMs: number | null = null) =>
    nextAttempt({ attempts, retryAfterMs }, random)?.delayMs ?? null;
  expect([next(1, 0), next(1, 0.5), next(1, 1)]).toEqual([4_000, 5_000, 6_000]);
  expect([next(2, 0.5), next(3, 0.5), next(9, 0.5), next(10, 0.5)]).toEqual([
    30_000,
    120_000,
    36_000_000,
    null,
  ]);
  expect(next(1, 0.5, 90_000)).toBe(90_000);
});

it('gathers no digest and postpones no edit by times that a clock which was ahead has stored', () => {
  const aheadMs = NOW + 2 * 3_600_000;
  const storm = Array.from({ length: 12 }, (_, index) =>
    wait(String(index), `i${index}`, { createdMs: aheadMs }),
  );
  expect(plan(storm).map(({ kind }) => kind)).toEqual([...Array<string>(10).fill('send'), 'digest']);
  const threads = new Map([['a', { isEditable: true, sentMs: aheadMs }]]);
  const edit = plan([wait('1', 'a', { change: 'updated' })], { threads, canEdit: true });
  expect(edit).toMatchObject([{ kind: 'send', isEdit: true }]);
});

it('holds what is older than a day by the confirmed time alone', () => {
  const leapt = { nowMs: NOW + 200 * 86_400_000, confirmedMs: NOW };
  expect(plan([wait('1', 'a')], leapt)).toMatchObject([{ kind: 'send' }]);
  expect(plan([wait('1', 'a')], { ...leapt, confirmedMs: leapt.nowMs })).toMatchObject([{ kind: 'hold' }]);
});

it('treats a bucket as full if its stored time is later than possible', () => {
  const rate = { burst: 5, perSecond: 5 };
  expect(takeToken(NOW + 2 * 3_600_000, rate, NOW)).toEqual({ waitMs: 0, untilMs: NOW + 200 });
});
