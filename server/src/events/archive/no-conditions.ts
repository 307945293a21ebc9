import { NO_EXCLUSIONS } from '../exclusions.ts';
import type { EventConditions } from '../read-types.ts';

/** Conditions that all events of an organization meet. */
export const NO_CONDITIONS: EventConditions = {
  projectId: null,
  environment: null,
  isWatched: false,
  type: null,
  severity: null,
  source: null,
  correlationId: null,
  fingerprint: null,
  release: null,
  group: null,
  series: null,
  pairs: [],
  paths: [],
  words: [],
  not: NO_EXCLUSIONS,
  afterMs: null,
  beforeMs: null,
};
