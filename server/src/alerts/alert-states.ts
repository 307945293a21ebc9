import { HOUR_MS, MINUTE_MS } from '../platform/durations.ts';
import { heldUntil } from '../platform/stored-times.ts';
import type { AlertNotice, ListedAlert } from './notice.ts';

/** Known state of one alert; times in milliseconds. */
interface AlertState {
  startsAtMs: number;
  /** Start that the sender gave, if its clock was ahead: repeats are recognised by it. */
  givenStartMs?: number;
  /** Null: it fires. */
  endsAtMs: number | null;
  /** When it was listed last. */
  seenAtMs: number;
  source: string | null;
  /** True if it counts as over since it was no longer repeated. */
  isMissing?: true;
}

export type AlertStates = Record<string, AlertState>;

/** Known state of an alert group. */
export interface GroupState {
  alerts: AlertStates;
  isTruncated: boolean;
  /** Null: no notification has come. */
  receivedAtMs: number | null;
  /** Longest time between two notifications that said the same; null: not known yet. */
  repeatMs: number | null;
}

export const NEW_GROUP: GroupState = { alerts: {}, isTruncated: false, receivedAtMs: null, repeatMs: null };

/** Outcome of a notification for its group. */
export interface MergedNotice {
  state: GroupState;
  /** Alerts that began to fire, as far as it was not told before. */
  started: ListedAlert[];
}

/** Alerts and evidence about one source are one incident if so little time is between them. */
export const RELATED_MS = 10 * MINUTE_MS;

/** Maximum alerts of a group that are remembered: those that fire, and the others that were listed last. */
const MAX_REMEMBERED = 2_000;

/** Maximum time by which the clock of a sender may be ahead, as that of an event. */
const MAX_AHEAD_MS = 5 * MINUTE_MS;

/** Time between repeats as both systems send them by default. */
const USUAL_REPEAT_MS = 4 * HOUR_MS;
/** Bounds of a learned time: a delivery that is tried again, or comes from a second sender, is no repeat. */
const MIN_REPEAT_MS = 5 * MINUTE_MS;
const MAX_REPEAT_MS = 24 * HOUR_MS;
/** Repeats that do not come until an alert counts as over. */
const MISSING_REPEATS = 3;
/** Maximum time from a notification to the review of its group: an alert may say until when it fires. */
export const MAX_REVIEW_MS = (MISSING_REPEATS + 1) * MAX_REPEAT_MS;

/** Forgets alerts. */
export function withoutAlerts(state: GroupState, forgotten: readonly ListedAlert[]): GroupState {
  const fingerprints = new Set(forgotten.map(({ fingerprint }) => fingerprint));
  const alerts = Object.entries(state.alerts).filter(([fingerprint]) => !fingerprints.has(fingerprint));
  return { ...state, alerts: Object.fromEntries(alerts) };
}

/**
 * Merges a notification into the state of its group. The order of notifications does not matter: of each alert the newest
 * start counts, and a start that is not after a known end is a repeat.
 */
export function mergeNotice(before: GroupState, notice: AlertNotice, receivedAtMs: number): MergedNotice {
  const alerts = new Map(Object.entries(before.alerts));
  const started: ListedAlert[] = [];
  let hasChanged = false;
  for (const listed of notice.listed) {
    const known = alerts.get(listed.fingerprint);
    const { state, isStart, isChange } = mergeAlert(known, listed, receivedAtMs);
    if (isStart) started.push({ ...listed, startsAtMs: state.startsAtMs });
    hasChanged ||= isChange;
    alerts.set(listed.fingerprint, state);
  }
  const isNewest = receivedAtMs >= (before.receivedAtMs ?? 0);
  return {
    started,
    state: {
      alerts: Object.fromEntries(forget([...alerts])),
      isTruncated: isNewest ? notice.truncated > 0 : before.isTruncated,
      receivedAtMs: Math.max(receivedAtMs, before.receivedAtMs ?? 0),
      repeatMs: hasChanged ? before.repeatMs : learnRepeat(before, receivedAtMs),
    },
  };
}

function mergeAlert(
  known: AlertState | undefined,
  { isFiring, startsAtMs: givenStartMs, endsAtMs, source }: ListedAlert,
  receivedAtMs: number,
): { state: AlertState; isStart: boolean; isChange: boolean } {
  const isKnownStart = givenStartMs === known?.givenStartMs;
  const startsAtMs = isKnownStart ? known.startsAtMs : credibleTime(givenStartMs, receivedAtMs);
  const endMs = credibleTime(endsAtMs ?? receivedAtMs, receivedAtMs);
  const listed: AlertState = {
    startsAtMs,
    ...(startsAtMs !== givenStartMs && { givenStartMs }),
    endsAtMs: isFiring ? null : endMs,
    // One that says until when it fires is not missed before.
    seenAtMs: isFiring
      ? Math.min(Math.max(receivedAtMs, endsAtMs ?? 0), receivedAtMs + MAX_REPEAT_MS)
      : receivedAtMs,
    source,
  };
  if (!known) return { state: listed, isStart: isFiring, isChange: true };
  if (isFiring) {
    const isNew = startsAtMs > (known.endsAtMs ?? known.startsAtMs);
    if (isNew) return { state: listed, isStart: true, isChange: true };
    if (known.endsAtMs !== null) return { state: known, isStart: false, isChange: false };
    const { isMissing = false, ...firing } = known;
    const seenAtMs = Math.max(known.seenAtMs, listed.seenAtMs);
    return { state: { ...firing, seenAtMs }, isStart: isMissing, isChange: false };
  }
  // The end of an earlier run.
  if (startsAtMs < known.startsAtMs && endMs <= known.startsAtMs)
    return { state: known, isStart: false, isChange: false };
  const state = {
    ...listed,
    startsAtMs: Math.max(startsAtMs, known.startsAtMs),
    endsAtMs: Math.max(endMs, known.endsAtMs ?? 0),
  };
  return { state, isStart: false, isChange: known.endsAtMs === null };
}

/** The time that an alert gives, or that of receipt if it lies ahead: later alerts would count as repeats until then. */
function credibleTime(givenMs: number, receivedAtMs: number): number {
  return givenMs > receivedAtMs + MAX_AHEAD_MS ? receivedAtMs : givenMs;
}

/** The longest time counts, so that a delivery that was tried for long does not shorten it. */
function learnRepeat({ receivedAtMs, repeatMs }: GroupState, nowMs: number): number | null {
  const passedMs = nowMs - (receivedAtMs ?? nowMs);
  if (passedMs < MIN_REPEAT_MS) return repeatMs;
  return Math.max(repeatMs ?? 0, Math.min(passedMs, MAX_REPEAT_MS));
}

function forget(alerts: [string, AlertState][]): [string, AlertState][] {
  if (alerts.length <= MAX_REMEMBERED) return alerts;
  const rank = ([, state]: [string, AlertState]) =>
    isFiring(state) ? Number.MAX_SAFE_INTEGER : state.seenAtMs;
  return alerts.toSorted((left, right) => rank(right) - rank(left)).slice(0, MAX_REMEMBERED);
}

function isFiring({ endsAtMs, isMissing }: AlertState): boolean {
  return endsAtMs === null && !isMissing;
}

/** True if an alert of the group fires, or may among those that the sender left out. */
export function isOpen({ alerts, isTruncated }: GroupState): boolean {
  return isTruncated || Object.values(alerts).some(isFiring);
}

/**
 * The distinct sources of the alerts that fire, or were over in the minutes before the last notification: an alert whose
 * source is renamed is over by its former name.
 */
export function currentSources({ alerts, receivedAtMs }: GroupState): string[] {
  const sinceMs = (receivedAtMs ?? 0) - RELATED_MS;
  const current = Object.values(alerts).filter((alert) => isFiring(alert) || alert.seenAtMs >= sinceMs);
  return [...new Set(current.flatMap(({ source }) => source ?? []))];
}

/** The newest known start. */
export function newestStart({ alerts }: GroupState): number {
  return Object.values(alerts).reduce((newest, { startsAtMs }) => Math.max(newest, startsAtMs), 0);
}

/** How long an alert may go without a repeat. */
export function patienceOf({ repeatMs }: GroupState): number {
  return MISSING_REPEATS * (repeatMs ?? USUAL_REPEAT_MS);
}

/**
 * When the next alert is missing; null: none fires. While the sender leaves alerts out, an absence from its list says
 * nothing, but that no notification comes does.
 */
export function reviewAtMs(state: GroupState): number | null {
  const firing = Object.values(state.alerts).filter(isFiring);
  const seenMs = state.isTruncated ? [state.receivedAtMs ?? 0] : firing.map(({ seenAtMs }) => seenAtMs);
  if (seenMs.length === 0) return null;
  return seenMs.reduce((oldest, atMs) => Math.min(oldest, atMs)) + patienceOf(state);
}

/** Marks the alerts that are missing. One that was seen at a time that is yet to come, by a wrong clock, is seen now. */
export function markMissing(state: GroupState, nowMs: number): GroupState {
  const latestMs = nowMs - patienceOf(state);
  if (state.isTruncated && (state.receivedAtMs ?? 0) > latestMs) return state;
  const alerts = Object.entries(state.alerts).map(([fingerprint, alert]): [string, AlertState] => {
    const seenAtMs = heldUntil(alert.seenAtMs, MAX_REPEAT_MS, nowMs);
    const isMissing = isFiring(alert) && seenAtMs <= latestMs;
    return [fingerprint, { ...alert, seenAtMs, ...(isMissing && { isMissing }) }];
  });
  return { ...state, isTruncated: false, alerts: Object.fromEntries(alerts) };
}
