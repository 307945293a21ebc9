import { describe, expect, it } from 'vitest';
import { resolutionOf } from '../state/resolution.ts';
import { SeriesState } from '../state/series-state.ts';
import { DOWN, UP } from '../state/side.ts';
import { type AlarmChange, isIdle, isLastingOutage, isOpen, updateAlarm } from './alarm-state.ts';

const RESOLUTION = resolutionOf(1);
const QUIET = { candidate: null, isHeld: false, isUnusual: false, stepEnded: true };
const EXCEEDANCE = {
  side: UP,
  window: 0,
  knownSteps: 1,
  observed: 50,
  expected: 10,
  evidence: 40,
  openThreshold: 20,
} as const;
const OPENS: AlarmChange = { kind: 'opens', ...EXCEEDANCE };

function opened(): SeriesState {
  const state = new SeriesState();
  updateAlarm(state, RESOLUTION, UP, { ...QUIET, candidate: OPENS, isUnusual: true });
  return state;
}

describe('the alarm of a side', () => {
  it('opens with an exceedance, and remembers the level before', () => {
    const state = opened();
    expect(isOpen(state, UP)).toBe(true);
    expect(state.levelBefore(UP)).toBe(10);
  });

  it('closes a rise after sixty quiet minutes, and starts to wait again when it is held', () => {
    const state = opened();
    const step = (isHeld: boolean) => updateAlarm(state, RESOLUTION, UP, { ...QUIET, isHeld });
    for (let minute = 0; minute < 59; minute++) expect(step(false)).toEqual([]);
    expect(step(true)).toEqual([]);
    for (let minute = 0; minute < 59; minute++) expect(step(false)).toEqual([]);
    expect(step(false)).toEqual([{ kind: 'closes', side: UP }]);
    expect(isIdle(state, UP)).toBe(true);
  });

  it('does not close within a step that still runs', () => {
    const state = opened();
    for (let i = 0; i < 100; i++) updateAlarm(state, RESOLUTION, UP, { ...QUIET, stepEnded: false });
    expect(isOpen(state, UP)).toBe(true);
  });

  it('reports a suppression once, and again after nothing was unusual', () => {
    const state = new SeriesState();
    const candidate: AlarmChange = { kind: 'suppressed', reason: 'small-effect', ...EXCEEDANCE };
    const suppress = () => updateAlarm(state, RESOLUTION, UP, { ...QUIET, candidate, isUnusual: true });
    expect([suppress().length, suppress().length]).toEqual([1, 0]);
    updateAlarm(state, RESOLUTION, UP, QUIET);
    expect(suppress()).toEqual([candidate]);
  });

  it('learns nothing for a day of an open drop in which next to nothing comes', () => {
    const state = new SeriesState();
    updateAlarm(state, RESOLUTION, DOWN, { ...QUIET, candidate: { ...OPENS, side: DOWN } });
    expect(isLastingOutage(state, RESOLUTION, 10, 100)).toBe(true);
    expect(isLastingOutage(state, RESOLUTION, 11, 100)).toBe(false);
    state.age = 1_440;
    expect(isLastingOutage(state, RESOLUTION, 10, 100)).toBe(false);
  });
});
