import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../platform/durations.ts';
import {
  currentSources,
  type GroupState,
  isOpen,
  markMissing,
  mergeNotice,
  NEW_GROUP,
  reviewAtMs,
} from './alert-states.ts';
import type { AlertNotice, ListedAlert } from './notice.ts';

const listed = (startsAtMs: number, endsAtMs: number | null = null, fingerprint = 'f'): ListedAlert => ({
  fingerprint,
  isFiring: endsAtMs === null,
  startsAtMs,
  endsAtMs,
  title: 'DiskFull',
  type: 'DiskFull',
  severity: 'error',
  source: `shop-${fingerprint}`,
  environment: null,
  links: [],
});
const notice = (...alerts: ListedAlert[]): AlertNotice => ({
  origin: 'alertmanager',
  groupHash: '00',
  truncated: 0,
  listed: alerts,
});

/** Merges notifications received a minute apart. @returns the state, and how many alerts each started */
function mergeAll(...notices: AlertNotice[]): { state: GroupState; started: number[] } {
  let state = NEW_GROUP;
  const started = notices.map((each, index) => {
    const merged = mergeNotice(state, each, (index + 100) * MINUTE_MS);
    state = merged.state;
    return merged.started.length;
  });
  return { state, started };
}

/** All orders of a list. */
function ordersOf<T>(list: readonly T[]): T[][] {
  if (list.length < 2) return [[...list]];
  return list.flatMap((first, index) => ordersOf(list.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}

describe('mergeNotice', () => {
  it('leads to the same alerts whatever the order of fire, end, next fire and repeats', () => {
    const notices = [
      notice(listed(10)),
      notice(listed(10, 20)),
      notice(listed(15)),
      notice(listed(30)),
      notice(listed(30)),
    ];
    for (const order of ordersOf(notices)) {
      const { state } = mergeAll(...order);
      expect(state.alerts.f).toMatchObject({ startsAtMs: 30, endsAtMs: null });
    }
    for (const order of ordersOf([...notices.slice(0, 4), notice(listed(30, 40))])) {
      const { state } = mergeAll(...order);
      expect(state.alerts.f).toMatchObject({ startsAtMs: 30, endsAtMs: 40 });
      expect(isOpen(state)).toBe(false);
    }
  });

  it('takes a start that is not after the known end for a repeat', () => {
    const { started, state } = mergeAll(
      notice(listed(10)),
      notice(listed(10, 20)),
      notice(listed(20)),
      notice(listed(21)),
    );
    expect(started).toEqual([1, 0, 0, 1]);
    expect(isOpen(state)).toBe(true);
  });

  it('takes the time of receipt for a start and an end that lie ahead, so that later alerts are no repeats', () => {
    const aheadMs = 10_000 * MINUTE_MS;
    const firing = notice(listed(aheadMs));
    const over = notice(listed(aheadMs, aheadMs + 1));
    const corrected = notice(listed(103 * MINUTE_MS));
    expect(mergeAll(firing, firing, over, corrected).started).toEqual([1, 0, 0, 1]);
    expect(mergeAll(firing, over, firing, notice(listed(aheadMs + 2))).started).toEqual([1, 0, 0, 1]);
    expect(mergeAll(over, firing, firing).started).toEqual([0, 0, 0]);
    expect(mergeAll(firing).state.alerts.f).toMatchObject({ startsAtMs: 100 * MINUTE_MS });
  });

  it('opens nothing for an alert that is over before its start was told', () => {
    const { started, state } = mergeAll(notice(listed(10, 20)));
    expect([started, isOpen(state)]).toEqual([[0], false]);
  });

  it('keeps a group open while one of its alerts fires', () => {
    const [one, other] = [listed(10, null, 'a'), listed(10, null, 'b')];
    const over = notice(listed(10, 20, 'a'), other);
    expect(isOpen(mergeAll(notice(one, other), over).state)).toBe(true);
    expect(isOpen(mergeAll(notice(one, other), over, notice(listed(10, 20, 'b'))).state)).toBe(false);
  });

  it('names the sources of alerts that fire, and for ten minutes those of alerts that are over', () => {
    const firing = notice(listed(10, null, 'b'));
    const sourcesAfter = (minutes: number) => {
      const repeats = Array.from({ length: minutes }, () => firing);
      return currentSources(mergeAll(notice(listed(10, 20, 'a')), ...repeats).state);
    };
    expect(sourcesAfter(10)).toEqual(['shop-a', 'shop-b']);
    expect(sourcesAfter(11)).toEqual(['shop-b']);
  });

  it('keeps a group open while its sender leaves alerts out', () => {
    const truncated = { ...notice(listed(10, 20)), truncated: 3 };
    expect(isOpen(mergeAll(notice(listed(10)), truncated).state)).toBe(true);
    expect(isOpen(mergeAll(notice(listed(10)), truncated, notice(listed(10, 20))).state)).toBe(false);
  });

  it('forgets the alerts that were listed longest ago, and none that fires', () => {
    const over = Array.from({ length: 2_500 }, (_, index) => listed(10, 20, `over ${index}`));
    const { state } = mergeAll(
      notice(listed(10, null, 'firing'), ...over.slice(0, 1_250)),
      notice(...over.slice(1_250)),
    );
    expect(Object.keys(state.alerts)).toHaveLength(2_000);
    expect(state.alerts).toHaveProperty('firing');
    expect(state.alerts).toHaveProperty('over 2499');
  });
});

describe('alerts that are no longer repeated', () => {
  const firing = notice(listed(10));

  it('misses an alert after three times the usual repeat, as long as none is known', () => {
    const { state } = mergeAll(firing);
    const dueMs = 100 * MINUTE_MS + 12 * HOUR_MS;
    expect(reviewAtMs(state)).toBe(dueMs);
    expect(isOpen(markMissing(state, dueMs - 1))).toBe(true);
    expect(isOpen(markMissing(state, dueMs))).toBe(false);
  });

  it('misses an alert after three times the longest time between two notifications that said the same', () => {
    let { state } = mergeNotice(NEW_GROUP, firing, 0);
    for (const minutes of [30, 31, 61]) state = mergeNotice(state, firing, minutes * MINUTE_MS).state;
    expect(reviewAtMs(state)).toBe((61 + 90) * MINUTE_MS);
  });

  it('takes no delivery that follows within five minutes for a repeat', () => {
    let { state } = mergeNotice(NEW_GROUP, firing, 0);
    for (const minutes of [1, 5]) state = mergeNotice(state, firing, minutes * MINUTE_MS).state;
    expect(reviewAtMs(state)).toBe(5 * MINUTE_MS + 12 * HOUR_MS);
    state = mergeNotice(state, firing, 10 * MINUTE_MS).state;
    expect(reviewAtMs(state)).toBe((10 + 15) * MINUTE_MS);
  });

  it('starts a missing alert again when it is repeated after all', () => {
    const { state } = mergeAll(firing);
    const missing = markMissing(state, 13 * HOUR_MS + 100 * MINUTE_MS);
    const { started, state: after } = mergeNotice(missing, firing, 24 * HOUR_MS);
    expect([started.length, isOpen(after)]).toEqual([1, true]);
  });

  it.each([firing, notice(listed(10, 20))])(
    'misses the alerts of a cut list once three times the usual repeat brought no notification at all',
    (over) => {
      const { state } = mergeAll({ ...firing, truncated: 1 }, { ...over, truncated: 1 });
      const dueMs = 101 * MINUTE_MS + 12 * HOUR_MS;
      expect(reviewAtMs(state)).toBe(dueMs);
      expect(markMissing(state, dueMs - 1)).toEqual(state);
      const missing = markMissing(state, dueMs);
      expect([isOpen(missing), reviewAtMs(missing)]).toEqual([false, null]);
    },
  );

  it('misses no alert that a cut list does not show while notifications come', () => {
    const cut = { ...notice(listed(10, null, 'other')), truncated: 1 };
    let { state } = mergeAll(firing);
    for (const hours of [10, 20, 30]) state = mergeNotice(state, cut, hours * HOUR_MS).state;
    state = markMissing(state, 40 * HOUR_MS);
    expect(currentSources(state)).toEqual(['shop-f', 'shop-other']);
  });
});
