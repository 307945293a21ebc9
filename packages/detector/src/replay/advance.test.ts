import { describe, expect, it } from 'vitest';
import { advance } from './advance.ts';

const STEP_MS = 60_000;

/** Records the calls that it receives, in minutes. */
class Recorder {
  readonly stepLengthMs = STEP_MS;
  readonly calls: string[] = [];
  stepMs = 0;

  count({ bucketMs }: { bucketMs: number; count: number }): boolean {
    this.calls.push(`count ${bucketMs / STEP_MS}`);
    return bucketMs >= this.stepMs - STEP_MS;
  }

  endStepsBefore(timeMs: number, isKnown: boolean): string[] {
    const step = `${isKnown ? 'end' : 'end unknown'} ${this.stepMs / STEP_MS}`;
    this.calls.push(step);
    this.stepMs = timeMs;
    return [step];
  }

  skipTo(timeMs: number): void {
    this.calls.push(`skip to ${timeMs / STEP_MS}`);
    this.stepMs = timeMs;
  }
}

function run(minutes: number[], untilMinute: number, gaps: [number, number][] = []) {
  const recorder = new Recorder();
  const deltas = minutes.map((minute) => ({ bucketMs: minute * STEP_MS, count: 3 }));
  const steps = advance(recorder, deltas, {
    untilMs: untilMinute * STEP_MS,
    gaps: gaps.map(([from, to]): [number, number] => [from * STEP_MS, to * STEP_MS]),
  });
  const yielded: string[][] = [];
  let step = steps.next();
  for (; !step.done; step = steps.next()) yielded.push(step.value);
  return { calls: recorder.calls, yielded, lateEvents: step.value };
}

describe('advance', () => {
  it('counts each delta in its step, ends each step once, and yields the events of each step', () => {
    expect(run([0, 0, 2], 4)).toEqual({
      calls: ['count 0', 'count 0', 'end 0', 'end 1', 'count 2', 'end 2', 'end 3'],
      yielded: [['end 0'], ['end 1'], ['end 2'], ['end 3']],
      lateEvents: 0,
    });
  });

  it('ends no step that is not over, also where a count is from the future', () => {
    expect(run([0, 9], 1.5).calls).toEqual(['count 0', 'end 0', 'count 9']);
  });

  it('counts the events that are too late to be evaluated', () => {
    expect(run([5, 0, 1], 5)).toMatchObject({ lateEvents: 6 });
  });

  it('ends the steps that a gap touches as unknown', () => {
    expect(
      run([], 5, [
        [1.5, 2.5],
        [4, 4.1],
      ]).calls,
    ).toEqual(['end 0', 'end unknown 1', 'end unknown 2', 'end 3', 'end unknown 4']);
  });

  it('evaluates only the last 240 steps of a longer gap', () => {
    const { calls } = run([], 1_010, [[0, 1_000]]);
    expect(calls[0]).toBe('skip to 760');
    expect(calls.filter((call) => call.startsWith('end unknown'))).toHaveLength(240);
    expect(calls.filter((call) => call.startsWith('end '))).toHaveLength(250);
  });

  it('skips up to the time it goes to where a gap goes on after it', () => {
    expect(run([], 500, [[0, 10_000]]).calls[0]).toBe('skip to 260');
  });
});
