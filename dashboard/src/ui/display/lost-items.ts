import type { LedgerRecord } from '../../lib/api-types.ts';

type Items = LedgerRecord['unstored'];

/** Kinds that would have been events; `envelope` is a request. */
const EVENT_KINDS = new Set([
  'default',
  'envelope',
  'error',
  'event',
  'feedback',
  'log_item',
  'monitor',
  'security',
]);
/** Reasons that are no loss: someone chose to keep nothing. */
const CHOSEN_REASONS = new Set([
  'before_send',
  'browser_key',
  'event_processor',
  'ignored',
  'not_kept',
  'sample_rate',
]);
/** Reasons for which the service refuses what arrives; every other one is that of a client. */
const REFUSALS = new Set([
  'over_limit',
  'over_quota',
  'over_rate',
  'over_share',
  'rejected',
  'too_large',
  'unavailable',
  'undeclared',
  'unreadable',
]);

/** Returns what would have been events, and was lost in the application or refused here. */
export function findLostItems({ unstored }: LedgerRecord): { inApplication: Items; refused: Items } {
  const lost = unstored.filter(({ kind, reason }) => EVENT_KINDS.has(kind) && !CHOSEN_REASONS.has(reason));
  return {
    inApplication: lost.filter(({ reason }) => !REFUSALS.has(reason)),
    refused: lost.filter(({ reason }) => REFUSALS.has(reason)),
  };
}
