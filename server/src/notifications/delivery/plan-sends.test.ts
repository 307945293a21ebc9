import { expect, it } from 'vitest';
import { takeToken } from './bucket.ts';
import type { Situation, Waiting } from './plan-sends.ts';
import { nextAttempt } from './retries.ts';
import { aWaiting, planFor } from './testing.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

const wait = (id: string, subjectId: string, rest: Partial<Waiting> = {}) =>
  aWaiting(id, NOW, { subjectId, ...rest });
const plan = (waiting: Waiting[], rest: Partial<Situation> = {}) => planFor(waiting, NOW, rest);

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
  const recent = { messages: 10, digestsMs: [] };
  const later = plan(waiting.slice(0, 5), { recent, nowMs: NOW + 5_000 });
  expect(later).toEqual([
    { kind: 'digest', ids: ['0', '1', '2', '3', '4'], severity: 'error', routeId: null },
  ]);
});

it('sends two digests in ten minutes where a message cannot be edited', () => {
  const waiting = Array.from({ length: 20 }, (_, index) => wait(String(index), `i${index}`));
  const digestsMs = [NOW - 90_000, NOW - 30_000];
  const [step] = plan(waiting, { recent: { messages: 10, digestsMs } });
  expect(step).toMatchObject({ kind: 'postpone', untilMs: NOW - 90_000 + 600_000 });
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
