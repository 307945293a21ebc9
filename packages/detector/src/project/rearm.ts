import { rearmTracked } from '../group/running-step.ts';
import type { CoarseStep } from '../state/resolution.ts';
import { DOWN, UP } from '../state/side.ts';
import { type Alarm, type AlarmSubject, isSameAlarm } from './alarm-subject.ts';
import { resetPayments } from './payment-counts.ts';
import type { ProjectParts } from './project-parts.ts';
import { FAILED_PAYMENTS } from './series-key.ts';

/** Resets an alarm whose incident a person has resolved: later events are evaluated by themselves, but a silence stays reported. */
export function rearm(parts: ProjectParts, { subject, side }: Alarm): void {
  if (side === DOWN || subject.kind === 'heartbeat') return;
  if (subject.kind === 'rule') parts.rules.rearm(subject.rule);
  else if (subject.kind === 'new-errors') parts.outbreak.rearm();
  else {
    parts.shares.rearm(subject.index);
    if (subject.kind === 'share') return;
    rearmSeries(parts, subject);
    if (subject.index === parts.registry.indexOf(FAILED_PAYMENTS)) resetPayments(parts.payments);
  }
}

/** Resets a series at all steps but those whose alarm is open in another incident: its events until now belong to this one. */
function rearmSeries(
  { group, sparse, tracker }: ProjectParts,
  subject: AlarmSubject & { kind: 'series' },
): void {
  const mayRearm = (coarseStep?: CoarseStep) => {
    const alarm: Alarm = { subject, side: UP, ...(coarseStep && { coarseStep }) };
    return !tracker.hasOpenAlarm((other) => isSameAlarm(other, alarm));
  };
  const { index } = subject;
  if (mayRearm()) rearmTracked(group.series.change(index));
  for (const coarse of sparse.groupsOf(index))
    if (mayRearm(coarse.step)) rearmTracked(coarse.group.series.change(index));
}
