import type { Log } from './log.ts';

/** The parts of a process, for stopping them. A part omits steps that it has nothing to do for. */
export interface Stoppable {
  /** Accepts no more requests; those in progress continue. Connections that are idle for so long are closed. */
  stopAccepting?: (idleMs: number) => Promise<void>;
  /** Resolves when the requests in progress are answered. */
  finishRequests?: () => Promise<void>;
  /** Makes accepted events durable. */
  drainIntake?: () => Promise<void>;
  /** Finishes the batch or round in progress. */
  finishBatch?: () => Promise<void>;
  closeSockets?: () => Promise<void>;
  endPool?: () => Promise<void>;
  stopDatabase?: () => Promise<void>;
}

/** The one order in which a process stops, and the time limit of each step: less than 10 s in all. */
const LIMITS_MS = {
  stopAccepting: 200,
  finishRequests: 3_000,
  drainIntake: 1_000,
  finishBatch: 1_000,
  closeSockets: 1_200,
  endPool: 500,
  stopDatabase: 3_000,
} as const satisfies Record<keyof Stoppable, number>;

export const SHUTDOWN_ORDER = Object.keys(LIMITS_MS) as (keyof Stoppable)[];

interface Pace {
  /** Time without a request after which a kept-alive connection counts as idle. */
  idleMs: number;
  limitsMs: Record<keyof Stoppable, number>;
}

const AT_ONCE: Pace = { idleMs: 250, limitsMs: LIMITS_MS };

/** Pace of a process in whose place another one serves: clients still wait for its answers, and nothing waits for its end. */
export const REPLACED: Pace = {
  idleMs: 10_000,
  limitsMs: { ...LIMITS_MS, finishRequests: 30_000, closeSockets: 10_000 },
};

/**
 * Stops the parts, step by step; within a step all parts at once. A step that fails or exceeds its time limit is
 * logged and does not keep the later ones from running.
 * @returns true if all steps succeeded
 */
export async function shutDown(
  parts: Stoppable[],
  log: Log,
  { idleMs, limitsMs }: Pace = AT_ONCE,
): Promise<boolean> {
  let clean = true;
  for (const step of SHUTDOWN_ORDER) {
    try {
      await within(limitsMs[step], Promise.all(parts.map(async (part) => part[step]?.(idleMs))));
    } catch (error) {
      clean = false;
      log.error({ err: error, step }, 'a step of the shutdown failed');
    }
  }
  return clean;
}

async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${timeoutMs} ms.`)), timeoutMs);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
