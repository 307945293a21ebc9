import type { Queryable } from '../../database/database.ts';
import type { LoopDeclaration } from '../../platform/loop.ts';

const INTERVAL_MS = 2_000;

/** Choices of all projects, in memory: an event needs no query for them. */
export interface ProjectChoices {
  load: (database: Queryable) => Promise<void>;
}

export function declareChoiceLoop(choices: readonly ProjectChoices[], database: Queryable): LoopDeclaration {
  return {
    name: 'choices of projects',
    round: async () => {
      for (const some of choices) await some.load(database);
      return 'idle';
    },
    idleDelayMs: INTERVAL_MS,
  };
}
