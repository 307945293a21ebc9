/** Items that are counted and not stored, by their types; any other type is `other`. */
const UNSTORED_TYPES = new Map<string, string>([
  ['session', 'session'],
  ['sessions', 'session'],
  ['transaction', 'transaction'],
  ['span', 'span'],
  ['trace_metric', 'metric'],
  ['statsd', 'metric'],
  ['metric_buckets', 'metric'],
  ['replay_event', 'replay'],
  ['replay_recording', 'replay'],
  ['replay_video', 'replay'],
  ['profile', 'profile'],
  ['profile_chunk', 'profile'],
  ['attachment', 'attachment'],
]);

export function unstoredKindOf(type: string): string {
  return UNSTORED_TYPES.get(type) ?? 'other';
}

const CATEGORIES = new Set([
  'attachment',
  'default',
  'error',
  'feedback',
  'log_byte',
  'log_item',
  'monitor',
  'profile',
  'profile_chunk',
  'replay',
  'security',
  'session',
  'span',
  'trace_metric',
  'transaction',
]);
const REASONS = new Set([
  'backpressure',
  'before_send',
  'buffer_overflow',
  'cache_overflow',
  'event_processor',
  'ignored',
  'insufficient_data',
  'internal_sdk_error',
  'network_error',
  'no_parent_span',
  'queue_overflow',
  'ratelimit_backoff',
  'sample_rate',
  'send_error',
]);

const OTHER = 'other';

/** Category and reason of a client's own report, within closed sets: they are kept by project. */
export const knownCategory = (category: unknown): string =>
  typeof category === 'string' && CATEGORIES.has(category) ? category : OTHER;
export const knownReason = (reason: unknown): string =>
  typeof reason === 'string' && REASONS.has(reason) ? reason : OTHER;
