import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppendResult, IntakeItem } from '../../queue/queue.ts';
import { Intake } from './intake.ts';
import type { IntakeLimits } from './limits.ts';
import { createIntakeMetrics } from './metrics.ts';
import type { Connection } from './waiting-lines.ts';

export const SMALL_LIMITS: IntakeLimits = {
  enoughItems: 4,
  maxWaiting: 8,
  maxWaitingBytes: 1_000,
  maxBatchItems: 4,
  maxBatchBytes: 500,
};

/** A queue whose commits end when the test ends them. */
class HeldQueue {
  readonly batches: { items: IntakeItem[]; end: (failure?: Error) => void }[] = [];
  mostAtOnce = 0;
  #underWay = 0;

  append(items: IntakeItem[]): Promise<AppendResult[]> {
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#underWay);
    return new Promise((resolve, reject) => {
      const end = (failure?: Error) => {
        this.#underWay--;
        if (failure) reject(failure);
        else resolve(items.map(() => ({ status: 'queued' })));
      };
      this.batches.push({ items, end });
    });
  }

  /** Ends the commit in progress, and lets its consequences happen. */
  async end(failure?: Error): Promise<void> {
    this.batches.at(-1)?.end(failure);
    await settle();
  }

  names(): string[][] {
    return this.batches.map(({ items }) => items.map(({ projectId, events }) => projectId + events.join('')));
  }
}

/** Lets all consequences happen; gathering takes a few turns. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await nextTurn();
}

/** Item of one request. */
export const item = (projectId: string, ...events: string[]): IntakeItem => ({
  projectId,
  keyId: `key of ${projectId}`,
  events,
  claim: null,
});

/** Connection of a client that waits for its answer. */
export const OPEN: Connection = { destroyed: false };

/** An intake in front of a held queue; `outcomes` are the status or error code of each item, in order of arrival. */
export function startIntake(
  limits: Partial<IntakeLimits> = {},
  monotonicMs?: () => number,
  takeAnswers?: () => number,
) {
  const queue = new HeldQueue();
  const intake = new Intake(queue, createIntakeMetrics([]), {
    limits: { ...SMALL_LIMITS, ...limits },
    ...(monotonicMs && { monotonicMs }),
    ...(takeAnswers && { takeAnswers }),
  });
  const outcomes: string[] = [];
  const append = (...parameters: Parameters<typeof item>) =>
    void intake.append(item(...parameters), OPEN).then(
      ({ status }) => outcomes.push(status),
      (error: { code: string }) => outcomes.push(error.code),
    );
  return { queue, intake, outcomes, append };
}
