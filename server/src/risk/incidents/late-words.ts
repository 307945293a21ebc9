import type { LateReport } from '@tocsin/detector';
import { quote } from '../../incidents/wording.ts';
import { isoTime } from '../../platform/time.ts';

/** Explains why events that arrived long after they were captured opened no incident. */
export function toLateSentence(report: LateReport): string {
  const { events, fromMs, toMs } = report;
  const [from, to] = [minuteText(fromMs), minuteText(toMs)];
  const captured = from === to ? `at ${from} UTC` : `from ${from} to ${to} UTC`;
  const noun = events === 1 ? 'event' : 'events';
  const verb = events === 1 ? 'was' : 'were';
  return `${events.toLocaleString('en')} ${noun} ${sourceOf(report)} ${verb} captured ${captured}, more than 5 minutes before ${events === 1 ? 'it' : 'they'} arrived. Stored and charted, but not used for detection.`;
}

function sourceOf({ source }: LateReport): string {
  if (source === undefined) return 'from other sources';
  return source === null ? 'without a source' : `from ${quote(source)}`;
}

function minuteText(timeMs: number): string {
  return isoTime(timeMs).slice(0, 16).replace('T', ' ');
}
