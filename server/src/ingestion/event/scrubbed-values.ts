import type { Store } from '../../database/database.ts';
import { isDataError } from '../../database/sql-state.ts';
import type { LoopDeclaration } from '../../platform/loop.ts';
import { SCRUB_RULES, type ScrubCounts } from '../../scrubbing/schema.ts';
import { addScrubbedValues } from './queries.ts';

const INTERVAL_MS = 10_000;
/** Maximum projects that are counted between two writes. */
const MAX_PROJECTS = 10_000;

export function declareScrubbedLoop(values: ScrubbedValues, store: Store): LoopDeclaration {
  return {
    name: 'scrubbed values',
    round: async () => {
      await values.flush(store);
      return 'idle';
    },
    idleDelayMs: INTERVAL_MS,
  };
}

/**
 * Counts the values that were replaced, by project and rule, and writes them every 10 seconds: never a write an event. A
 * process that is killed loses what it counted since.
 */
export class ScrubbedValues {
  #byProject = new Map<string, ScrubCounts>();

  add(projectId: string, counts: ScrubCounts): void {
    const known = this.#byProject.get(projectId);
    if (known) addCounts(known, counts);
    else if (this.#byProject.size < MAX_PROJECTS) this.#byProject.set(projectId, { ...counts });
  }

  /** Writes the counts since the last time. Those that could not be written are kept for the next time. */
  async flush({ pool }: Store): Promise<void> {
    if (this.#byProject.size === 0) return;
    const counts = this.#byProject;
    this.#byProject = new Map();
    try {
      await addScrubbedValues(pool, counts);
    } catch (error) {
      if (!isDataError(error)) for (const [projectId, some] of counts) this.add(projectId, some);
      throw error;
    }
  }
}

function addCounts(sum: ScrubCounts, counts: ScrubCounts): void {
  for (const rule of SCRUB_RULES) {
    const count = counts[rule];
    if (count !== undefined) sum[rule] = (sum[rule] ?? 0) + count;
  }
}
