import { describe, expect, it } from 'vitest';
import { compare, dueAt, endOfInterruption } from './judge.ts';

describe('the comparison of what was acknowledged with what is stored', () => {
  it('counts what is lost, stored twice, and stored without an answer', () => {
    const event = (id: string, isAcknowledged: boolean) => ({ id, isRepeated: false, isAcknowledged });
    const sent = [
      event('kept', true),
      event('lost', true),
      event('twice', true),
      event('refused', false),
      event('unknown', false),
    ];
    const stored = new Map([
      ['kept', 1],
      ['twice', 2],
      ['unknown', 1],
    ]);
    expect(compare(sent, stored)).toEqual({
      sent: 5,
      acknowledged: 3,
      lost: 1,
      twice: 1,
      unacknowledged: 1,
    });
  });
});

describe('the end of an interruption', () => {
  const steady = (from: number, to: number) =>
    Array.from({ length: (to - from) / 500 + 1 }, (_, place) => from + place * 500);

  it('takes the end of the last interruption of the slowest process', () => {
    const first = [...steady(0, 10_000), ...steady(15_000, 20_000), ...steady(24_000, 40_000)];
    const second = [...steady(0, 10_000), ...steady(30_000, 40_000)];
    expect(endOfInterruption([first, second], 10_000, 40_000)).toBe(30_000);
    expect(endOfInterruption([first], 10_000, 40_000)).toBe(24_000);
  });

  it('finds no interruption in shorter pauses', () => {
    expect(endOfInterruption([[9_900, 11_800, 13_700]], 10_000, 14_000)).toBe(10_000);
  });

  it('finds none that ends where a process does not answer again', () => {
    expect(endOfInterruption([steady(0, 40_000), steady(0, 10_000)], 10_000, 40_000)).toBeNull();
  });
});

describe('the time at which intake has to be back', () => {
  const bars = { barSeconds: 35, againSeconds: 15 };
  const sample = (at: number, holds: boolean) => ({ at, holds });

  it('begins at the fault where a majority and two copies are left', () => {
    expect(dueAt(1_000, { barSeconds: 35 }, [])).toBe(36_000);
    expect(dueAt(1_000, bars, [sample(2_000, true)])).toBe(36_000);
  });

  it('begins when they are there again, and is never earlier', () => {
    const samples = (again: number) => [
      sample(2_000, true),
      sample(3_000, false),
      sample(3_500, false),
      sample(again, true),
    ];
    expect(dueAt(1_000, bars, samples(41_000))).toBe(56_000);
    expect(dueAt(1_000, { barSeconds: 35, againSeconds: 35 }, samples(41_000))).toBe(76_000);
    expect(dueAt(1_000, bars, samples(5_000))).toBe(36_000);
  });

  it('stays where answers are slow before or after them', () => {
    const lone = [sample(2_000, false), sample(2_500, true), sample(60_000, false)];
    expect(dueAt(1_000, bars, lone)).toBe(36_000);
    const broken = [sample(3_000, false), sample(3_500, false), sample(41_000, true)];
    const slow = [sample(50_000, false), sample(51_000, false), sample(52_000, true)];
    expect(dueAt(1_000, bars, [...broken, ...slow])).toBe(56_000);
    expect(dueAt(1_000, bars, [...broken, sample(50_000, false)])).toBe(56_000);
  });

  it('finds no such time where they are never seen again', () => {
    expect(dueAt(1_000, bars, [sample(2_000, true), sample(3_000, false), sample(4_000, false)])).toBeNull();
  });
});
