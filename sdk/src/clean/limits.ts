/** Limits of the server; characters are code points. */
export const MAX_TYPE_LENGTH = 128;
export const MAX_SOURCE_LENGTH = 256;
export const MAX_RELEASE_LENGTH = 128;
export const MAX_ENVIRONMENT_LENGTH = 64;
export const MAX_MESSAGE_LENGTH = 32_768;
export const MAX_STACK_LENGTH = 65_536;
export const MAX_PATH_LENGTH = 2_048;
export const MAX_METHOD_LENGTH = 32;
export const MAX_CORRELATION_KEYS = 32;
export const MAX_CORRELATION_LENGTH = 256;
export const MAX_FINGERPRINT_PARTS = 32;
export const MAX_FINGERPRINT_LENGTH = 256;
/** Maximum levels of JSON; the event itself is the first. */
export const MAX_JSON_DEPTH = 64;
/** Maximum size of an event as JSON, with room for the time of the call, which may be added when it is sent. */
export const MAX_EVENT_BYTES = 1_048_576 - 64;

/** Limits of times, a little stricter than the server's (7 days behind, 30 for deploys, and 5 minutes ahead): delivery takes up to 30 s. */
export const MAX_TIME_BEHIND_MS = 7 * 86_400_000 - 60_000;
export const MAX_DEPLOY_BEHIND_MS = 30 * 86_400_000 - 60_000;
export const MAX_TIME_AHEAD_MS = 4 * 60_000;

/** Time after which every call is settled; the promise is 30 s, and timers may be late. */
export const CALL_DEADLINE_MS = 29_000;
export const MAX_REQUESTS_UNDER_WAY = 16;

/** Maximum waiting calls: a hundred thousand in a loop that never yields are kept, at about 0.7 kB of memory each. */
export const MAX_WAITING_CALLS = 131_072;
export const MAX_WAITING_BYTES = 64 * 1_048_576;

/** Interval of lines about further losses; the first loss is reported at once. */
export const LOSS_LINE_INTERVAL_MS = 1_000;

/** Number of waiting events above which they are sent in bulk. */
export const BULK_THRESHOLD = 32;
export const MAX_BULK_LINES = 1_000;
export const MAX_BULK_BYTES = 1_048_576;
/** Maximum distance of events in one request, whose deadline is that of the oldest. */
export const MAX_BULK_SPAN_MS = 1_000;

/** Time after which a waiting event carries the time of its call. */
export const CARRY_TIME_AFTER_MS = 1_000;

/** Maximum characters read of an answer. */
export const MAX_ANSWER_CHARACTERS = 4 * 1_048_576;
