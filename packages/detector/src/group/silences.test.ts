import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { ExpectedSilence, type NextSilence, type SilenceChange } from '../series/expected-silence.ts';
import { SilenceState } from '../series/silence-state.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { RecordTable } from '../state/record-table.ts';
import { Silences } from './silences.ts';

const BUDGET = { budgetPerWeek: 0.02, rarity: 1 };
const MINUTES = 24 * 1_440;
const RATES = [0.02, 0.3, 4];
const isDead = (series: number, minute: number) => minute > 15 * 1_440 && (minute / 1_000 + series) % 7 < 1.5;
const isKnown = (minute: number) => minute % 4_000 > 70;

describe('the silences of a project', () => {
  it('reports and saves what it would if each were gone through every minute, and after loading', () => {
    const random = new Random(7);
    let silences = new Silences(() => BUDGET);
    const records = new RecordTable(SilenceState.floats);
    const alone = RATES.map((_, series) => {
      const silence = new ExpectedSilence({ buffer: records.buffer, first: records.add(series) });
      silence.begin();
      return silence;
    });
    RATES.forEach((_, series) => silences.add(series));
    const kinds = new Set<SilenceChange['kind']>();
    for (let minute = 0; minute < MINUTES; minute++) {
      const timeMs = START_MS + minute * MINUTE_MS;
      RATES.forEach((rate, series) => {
        const events = isDead(series, minute) ? 0 : random.poisson(rate);
        if (events === 0) return;
        silences.count(series, events);
        alone[series]?.count(events);
      });
      if (minute % 3_001 === 0) {
        silences.countLate(0);
        alone[0]?.countLate();
      }
      const reported: [number, SilenceChange, (NextSilence | null)[]][] = [];
      const afterMs = timeMs + MINUTE_MS;
      silences.endMinute(timeMs, isKnown(minute), (series, change) => {
        // A report may read this silence, and those before it, with the minute that ends.
        const next = Array.from({ length: series + 1 }, (_, each) => silences.next(each, afterMs));
        reported.push([series, change, next]);
      });
      const ended = { timeMs, isKnown: isKnown(minute), budget: () => BUDGET };
      const expected = alone.flatMap((silence, series) => {
        const change = silence.endMinute(ended);
        const next = () => alone.slice(0, series + 1).map((each) => each.next(afterMs, BUDGET));
        return change ? [[series, change, next()]] : [];
      });
      // Asserting each minute would take longer than evaluating it.
      if (reported.length + expected.length > 0) expect(reported).toEqual(expected);
      for (const [, { kind }] of reported) kinds.add(kind);
      if (minute % 991 === 0) {
        const next = alone.map((silence) => silence.next(afterMs, BUDGET));
        expect(RATES.map((_, series) => silences.next(series, afterMs))).toEqual(next);
      }
      if (minute % 997 !== 0) continue;
      expect(silences.save()).toEqual(records.save());
      silences = new Silences(() => BUDGET, silences.save());
    }
    expect([...kinds].toSorted()).toEqual(['closes', 'opens']);
  });
});
