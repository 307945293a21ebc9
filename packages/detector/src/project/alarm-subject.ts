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

/** Equal for the same subject, different for any other. */
export function keyOf(subject: AlarmSubject): string {
  if (subject.kind === 'rule') {
    const { type, severity, source, events, minutes } = subject.rule;
    return JSON.stringify([type, severity, source, events, minutes]);
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
