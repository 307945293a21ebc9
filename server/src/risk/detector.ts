/**
 * The first rule, absolute and explainable: a burst is at least 10 events of severity error or above of one
 * series within 60 seconds, where both the series and its whole project send at least 3 times what they did
 * in the hour before; and any critical event is trouble by itself. Pure: (state, counts) → state and alarms.
 */
export const BURST_EVENTS = 10;
export const BURST_RATIO = 3;
export const WINDOW_MS = 60_000;
const HISTORY_MS = 60 * 60_000;
const MINUTE_MS = 60_000;
const BUCKET_MS = 5_000;
/** Series of one project that are told apart; what comes beyond them is watched as one. */
const MAX_SERIES = 500;

/** Events of severity error or above of one (type, source), in one 5-second bucket of receipt time. */
export interface Delta {
  type: string;
  source: string | null;
  critical: boolean;
  bucketMs: number;
  count: number;
  /** Receipt of the newest of them. */
  lastMs: number;
}

export interface SeriesState {
  type: string;
  source: string | null;
  /** Counts by 5-second bucket within the window: [bucket's beginning, count]. */
  recent: [number, number][];
  /** Counts by minute of the hour before the window: [minute's beginning, count]. */
  history: [number, number][];
  /** What was received until then belongs to a resolved incident and counts as history. */
  countedFromMs: number;
}

/** What is remembered of a project; plain JSON. */
export interface ProjectState {
  series: SeriesState[];
}

export interface Alarm {
  /** `spread`: no series by itself, but all of the project together; it is told of the largest one. */
  rule: 'burst' | 'critical' | 'spread';
  type: string;
  source: string | null;
  /** Events of severity error or above in the window. */
  observed: number;
  /** What a window of this length held on average in the hour before. */
  expected: number;
  fromMs: number;
  toMs: number;
}

export const EMPTY_STATE: ProjectState = { series: [] };

/**
 * Takes new counts in and says what is out of the ordinary. Time is that of the events' receipt, so a late
 * look changes nothing.
 * @param countFrom when the last incident of a series was resolved (0: none): its window begins there
 */
export function detect(
  state: ProjectState,
  deltas: Delta[],
  countFrom: (type: string, source: string | null) => number,
): { state: ProjectState; alarms: Alarm[] } {
  const nowMs = Math.max(0, ...deltas.map((delta) => delta.bucketMs + BUCKET_MS), latestBucketEnd(state));
  const series = state.series.map((known) => ({
    ...known,
    recent: [...known.recent],
    history: [...known.history],
  }));
  /** The series with new events, and whether any of those is critical. */
  const touched = new Map<SeriesState, boolean>();

  for (const delta of deltas) {
    const own = findOrAdd(series, delta);
    restartAt(own, countFrom(own.type, own.source));
    if (delta.lastMs <= own.countedFromMs) {
      add(own.history, minuteOf(delta.bucketMs), delta.count);
      continue;
    }
    add(own.recent, delta.bucketMs, delta.count);
    touched.set(own, delta.critical || (touched.get(own) ?? false));
  }

  for (const own of series) age(own, nowMs);
  const project = series.reduce(
    (sum, own) => ({ observed: sum.observed + observedOf(own), expected: sum.expected + expectedOf(own) }),
    { observed: 0, expected: 0 },
  );
  const projectIsUnusual =
    project.observed >= BURST_EVENTS && project.observed >= BURST_RATIO * project.expected;
  const toAlarm = (own: SeriesState, rule: Alarm['rule']): Alarm => ({
    rule,
    type: own.type,
    source: own.source,
    observed: observedOf(own),
    expected: expectedOf(own),
    fromMs: Math.min(nowMs - BUCKET_MS, ...own.recent.map(([bucketMs]) => bucketMs)),
    toMs: nowMs,
  });
  const alarms = [...touched].flatMap(([own, critical]): Alarm[] => {
    if (critical) return [toAlarm(own, 'critical')];
    const observed = observedOf(own);
    const burst = observed >= BURST_EVENTS && observed >= BURST_RATIO * expectedOf(own) && projectIsUnusual;
    return burst ? [toAlarm(own, 'burst')] : [];
  });
  const [largest] = [...touched.keys()].toSorted(bySize);
  if (alarms.length === 0 && projectIsUnusual && largest) alarms.push(toAlarm(largest, 'spread'));
  return { state: { series: series.filter((own) => own.recent.length + own.history.length > 0) }, alarms };
}

/** Largest first; of equal ones always the same, in whatever order they were touched. */
function bySize(left: SeriesState, right: SeriesState): number {
  return observedOf(right) - observedOf(left) || (nameOf(left) < nameOf(right) ? -1 : 1);
}

function nameOf({ type, source }: SeriesState): string {
  return JSON.stringify([type, source]);
}

/** A fresh start after an incident was resolved: what its window held is history. */
function restartAt(own: SeriesState, countedFromMs: number): void {
  if (countedFromMs <= own.countedFromMs) return;
  for (const [bucketMs, count] of own.recent) add(own.history, minuteOf(bucketMs), count);
  own.recent = [];
  own.countedFromMs = countedFromMs;
}

function findOrAdd(series: SeriesState[], delta: Delta): SeriesState {
  const known = series.find((own) => own.type === delta.type && own.source === delta.source);
  if (known) return known;
  const full = series.length >= MAX_SERIES;
  const added: SeriesState = {
    type: full ? 'other' : delta.type,
    source: full ? null : delta.source,
    recent: [],
    history: [],
    countedFromMs: 0,
  };
  const other = full ? series.find((own) => own.type === added.type && own.source === null) : undefined;
  if (other) return other;
  series.push(added);
  return added;
}

/** Moves what has left the window into the history, and drops what has left that. */
function age(own: SeriesState, nowMs: number): void {
  const windowStart = nowMs - WINDOW_MS;
  for (const [bucketMs, count] of own.recent) {
    if (bucketMs < windowStart) add(own.history, minuteOf(bucketMs), count);
  }
  own.recent = own.recent.filter(([bucketMs]) => bucketMs >= windowStart);
  own.history = own.history.filter(([minuteMs]) => minuteMs >= windowStart - HISTORY_MS);
}

function observedOf(own: SeriesState): number {
  return own.recent.reduce((sum, [, count]) => sum + count, 0);
}

/** A young series has sent nothing in most of the hour, which makes its expectation small: it is not blind. */
function expectedOf(own: SeriesState): number {
  const before = own.history.reduce((sum, [, count]) => sum + count, 0);
  return before / (HISTORY_MS / WINDOW_MS);
}

function latestBucketEnd(state: ProjectState): number {
  return Math.max(0, ...state.series.flatMap((own) => own.recent.map(([bucketMs]) => bucketMs + BUCKET_MS)));
}

function add(counts: [number, number][], startMs: number, count: number): void {
  const known = counts.find(([start]) => start === startMs);
  if (known) known[1] += count;
  else counts.push([startMs, count]);
}

function minuteOf(timeMs: number): number {
  return Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
}
