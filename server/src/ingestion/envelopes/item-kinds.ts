/** Category under which items are counted that lead to no event, by their types. */
const KINDS = new Map<string, string>([
  ['event', 'error'],
  ['feedback', 'feedback'],
  ['user_report', 'feedback'],
  ['log', 'log_item'],
  ['check_in', 'monitor'],
  ['session', 'session'],
  ['sessions', 'session'],
  ['transaction', 'transaction'],
  ['span', 'span'],
  ['trace_metric', 'trace_metric'],
  ['statsd', 'metric'],
  ['metric_buckets', 'metric'],
  ['replay_event', 'replay'],
  ['replay_recording', 'replay'],
  ['replay_video', 'replay'],
  ['profile', 'profile'],
  ['profile_chunk', 'profile'],
  ['attachment', 'attachment'],
]);

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

export const kindOf = (type: string): string => KINDS.get(type) ?? OTHER;

/** Category and reason of a client's own report, within closed sets: they are kept by project. */
export const knownCategory = (category: unknown): string =>
  typeof category === 'string' && CATEGORIES.has(category) ? category : OTHER;
export const knownReason = (reason: unknown): string =>
  typeof reason === 'string' && REASONS.has(reason) ? reason : OTHER;
