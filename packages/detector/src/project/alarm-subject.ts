import type { CoarseStep } from '../state/resolution.ts';
import type { Side } from '../state/side.ts';
import type { CountRule, Severity } from '../types.ts';
import { fieldKey } from './count-delta.ts';

/** Subject of an alarm within its project. */
export type AlarmSubject =
  | { kind: 'series'; index: number }
  /** Failures of a series of errors, among its traffic. */
  | { kind: 'share'; index: number }
  | { kind: 'heartbeat'; index: number }
  | { kind: 'rule'; rule: CountRule }
  | { kind: 'new-errors' };

/** Alarm of a project, for too much or for too little. */
export interface Alarm {
  subject: AlarmSubject;
  side: Side;
  /** Step at which a series is unusual, where that is not a minute. Each step has an alarm of its own. */
  coarseStep?: CoarseStep;
  /** True if a series is silent by the expected events since the last one, which has an alarm of its own. */
  isSilence?: true;
  /** Missing for an alarm whose severity cannot rise. */
  rating?: AlarmRating;
}

/** Highest severity with which an alarm was reported, and the rate to which its series is compared. */
export interface AlarmRating {
  severity: Severity;
  /** Usual events a minute when it opened. */
  usualPerMinute: number;
}

/** Returns a key that is equal for the same subject, and different for any other; the name of a rule does not tell it apart. */
export function keyOf(subject: AlarmSubject): string {
  if (subject.kind === 'rule') {
    const { type, severity, source, field, percent, events, minutes } = subject.rule;
    return JSON.stringify([type, severity, source, field && fieldKey(field), percent, events, minutes]);
  }
  return subject.kind === 'new-errors' ? subject.kind : `${subject.kind} ${subject.index}`;
}

export function isSameSubject(left: AlarmSubject, right: AlarmSubject): boolean {
  return keyOf(left) === keyOf(right);
}

export function isSameAlarm(left: Alarm, right: Alarm): boolean {
  return (
    left.side === right.side &&
    left.coarseStep === right.coarseStep &&
    left.isSilence === right.isSilence &&
    isSameSubject(left.subject, right.subject)
  );
}
