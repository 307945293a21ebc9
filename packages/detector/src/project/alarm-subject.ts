import type { CoarseStep } from '../state/resolution.ts';
import type { Side } from '../state/side.ts';
import type { CountRule, Severity } from '../types.ts';

/** What an alarm is about, within its project. */
export type AlarmSubject =
  | { kind: 'series'; index: number }
  /** Failures of a series of errors, among its traffic. */
  | { kind: 'share'; index: number }
  | { kind: 'heartbeat'; index: number }
  | { kind: 'rule'; rule: CountRule }
  | { kind: 'new-errors' };

/** An alarm of a project, for too much or for too little. */
export interface Alarm {
  subject: AlarmSubject;
  side: Side;
  /** The step at which a series is unusual, where that is not a minute. Each step has an alarm of its own. */
  coarseStep?: CoarseStep;
  /** A series is silent by the events expected since the last one; its own alarm as well. */
  isSilence?: true;
  /** Missing for an alarm whose severity cannot rise. */
  rating?: AlarmRating;
}

/** Highest severity that an alarm was reported with, and what its series is compared with. */
export interface AlarmRating {
  severity: Severity;
  /** Events a minute that were usual when it opened. */
  usualPerMinute: number;
}

const SHARE = 'share:';
const HEARTBEAT = 'beats:';
const RULE = 'rule:';
const NEW_ERRORS = 'kinds';

/** Equal for the same subject, different for any other. */
export function keyOf(subject: AlarmSubject): string {
  switch (subject.kind) {
    case 'series':
      return `${subject.index}`;
    case 'share':
      return `${SHARE}${subject.index}`;
    case 'heartbeat':
      return `${HEARTBEAT}${subject.index}`;
    case 'rule': {
      const { type, severity, source, events, minutes } = subject.rule;
      return `${RULE}${JSON.stringify([type, severity, source, events, minutes])}`;
    }
    case 'new-errors':
      return NEW_ERRORS;
    default:
      return unknownSubject(subject);
  }
}

export function isSameSubject(left: AlarmSubject, right: AlarmSubject): boolean {
  switch (left.kind) {
    case 'series':
    case 'share':
    case 'heartbeat':
      return left.kind === right.kind && left.index === right.index;
    case 'rule':
      return right.kind === 'rule' && keyOf(left) === keyOf(right);
    case 'new-errors':
      return right.kind === 'new-errors';
    default:
      return unknownSubject(left);
  }
}

/** The compiler finds a kind that a switch leaves out. */
export function unknownSubject(subject: never): never {
  throw new Error(`Unknown subject of an alarm: ${JSON.stringify(subject)}`);
}

export function isSameAlarm(left: Alarm, right: Alarm): boolean {
  return (
    left.side === right.side &&
    left.coarseStep === right.coarseStep &&
    left.isSilence === right.isSilence &&
    isSameSubject(left.subject, right.subject)
  );
}
