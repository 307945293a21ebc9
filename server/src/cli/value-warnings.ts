import { isCount, MIN_EVENTS, mayOpen, type PastCounts } from '@tocsin/detector';

/** Warns of values with which hardly anything can open. */
export function warnOfValues(past: PastCounts): string[] {
  const known = Array.from(past.counts).filter(isCount);
  const positive = known.filter((value) => value > 0);
  const warnings: string[] = [];
  const small = positive.filter((value) => value < MIN_EVENTS);
  const advice = 'Multiply values that are not counts of events, or use longer steps (--step)';
  if (!mayOpen(past)) {
    const needed = `an incident needs ${MIN_EVENTS} more or fewer than expected`;
    warnings.push(`: no window holds ${MIN_EVENTS} events, and ${needed}: nothing can open. ${advice}.`);
  } else if (isMost(small, positive)) {
    const share = `${shareOf(small, positive)} of its values above 0 are below ${MIN_EVENTS}`;
    warnings.push(`: ${share}, the least difference that opens an incident: little can open. ${advice}.`);
  }
  const fractions = known.filter((value) => !Number.isInteger(value));
  if (isMost(fractions, known)) {
    const share = `${shareOf(fractions, known)} of its values are not whole`;
    warnings.push(
      `: ${share}, but values are evaluated as counts of events. Multiply a mean or a share by what it is of.`,
    );
  }
  return warnings;
}

function isMost(part: number[], all: number[]): boolean {
  return part.length > all.length / 2;
}

function shareOf(part: number[], all: number[]): string {
  return `${Math.round((100 * part.length) / all.length)}%`;
}
