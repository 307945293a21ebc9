import { NO_EXCLUSIONS } from '../../src/events/exclusions.ts';
import type { EventConditions } from '../../src/events/read-types.ts';

/** All events of an organization. */
export const NO_CONDITIONS: Omit<EventConditions, 'afterMs' | 'beforeMs'> = {
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
};
