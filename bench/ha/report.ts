import type { Fault } from './faults.ts';
import type { RoundResult } from './round.ts';

export const HEAD = `| Fault | Acknowledged of sent | Lost, twice, wrong | Intake back after (bar) | Reading | Answers |
| ----- | -------------------- | ------------------ | ----------------------- | ------- | ------- |`;

/** Returns the row of a table, and the bars that are broken in sentences. */
export function describeRound(fault: Fault, result: RoundResult): { row: string; broken: string[] } {
  const { sent, acknowledged, lost, twice, wrong, intakeMs, dueMs } = result;
  const answers = [...result.answers].toSorted(([a], [b]) => a - b);
  const cells = [
    fault.about,
    `${acknowledged.toLocaleString('en')} of ${sent.toLocaleString('en')}`,
    `${lost}, ${twice}, ${wrong.length}`,
    `${inSeconds(intakeMs)} (${describeBar(fault, dueMs)})`,
    inSeconds(result.readingMs),
    answers.map(([status, quantity]) => `${quantity} × ${status || 'none'}`).join(', '),
  ];
  const broken = [
    ...(lost > 0 ? [`${lost} acknowledged events are lost`] : []),
    ...(twice > 0 ? [`${twice} events are stored twice`] : []),
    ...wrong.map((sentence) => `a read went back: ${sentence}`),
    ...(dueMs === null ? ['a majority, two copies and the way to them were not seen to return'] : []),
    ...(intakeMs === null || (dueMs !== null && intakeMs > dueMs)
      ? [`intake was back after ${inSeconds(intakeMs)}, later than ${inSeconds(dueMs)}`]
      : []),
  ];
  return { row: `| ${cells.join(' | ')} |`, broken };
}

/** Says how long after the return of the conditions the bar is, where it counts from there. */
function describeBar({ barSeconds, againSeconds }: Fault, dueMs: number | null): string {
  if (!againSeconds || dueMs === null || Math.round(dueMs) <= barSeconds * 1_000) return inSeconds(dueMs);
  return `${inSeconds(dueMs)}: ${againSeconds} s after the return`;
}

export function totalOf(results: RoundResult[]): { text: string; acknowledged: number } {
  const sum = (read: (result: RoundResult) => number) =>
    results.reduce((total, result) => total + read(result), 0);
  const acknowledged = sum((result) => result.acknowledged);
  const text =
    `${acknowledged.toLocaleString('en')} acknowledged: ${sum(({ lost }) => lost)} lost, ` +
    `${sum(({ twice }) => twice)} twice, ${sum(({ wrong }) => wrong.length)} wrong reads; ` +
    `${sum(({ unacknowledged }) => unacknowledged)} stored without an acknowledgement`;
  return { text, acknowledged };
}

export const inSeconds = (ms: number | null) => (ms === null ? 'never' : `${(ms / 1_000).toFixed(1)} s`);
