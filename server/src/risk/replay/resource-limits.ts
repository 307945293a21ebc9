import type { ResourceLimits } from 'node:worker_threads';

/** Limits beside the counts, which are bounded when they are read: for the watched series, and incidents. */
export const RESOURCE_LIMITS: ResourceLimits = {
  maxOldGenerationSizeMb: 192,
  maxYoungGenerationSizeMb: 32,
  stackSizeMb: 4,
};
