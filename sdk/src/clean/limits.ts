/** What the server accepts, where it is strict; characters are code points. */
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
/** The event itself is the first level. */
export const MAX_JSON_DEPTH = 64;
/** An event as JSON, with room left for the time of the call that may be added when it leaves. */
export const MAX_EVENT_BYTES = 1_048_576 - 64;

/** A little stricter than the server (7 days, of deploys 30, and 5 minutes ahead): the event is under way for up to 30 s. */
export const MAX_TIME_BEHIND_MS = 7 * 86_400_000 - 60_000;
export const MAX_DEPLOY_BEHIND_MS = 30 * 86_400_000 - 60_000;
export const MAX_TIME_AHEAD_MS = 4 * 60_000;

/** Every call is settled this long after it was made; the promise is 30 s, timers may be late. */
export const CALL_DEADLINE_MS = 29_000;
export const MAX_REQUESTS_UNDER_WAY = 16;

/** A hundred thousand calls in a loop that never yields are kept: about 0.7 kB of memory each. */
export const MAX_WAITING_CALLS = 131_072;
export const MAX_WAITING_BYTES = 64 * 1_048_576;

/** The console gets a loss at once, and then one line a second with the number of those that follow. */
export const LOSS_LINE_INTERVAL_MS = 1_000;

/** More waiting events than these travel together. */
export const BULK_THRESHOLD = 32;
export const MAX_BULK_LINES = 1_000;
export const MAX_BULK_BYTES = 1_048_576;
/** Events further apart don't share a request: its deadline is that of the oldest. */
export const MAX_BULK_SPAN_MS = 1_000;

/** An event that leaves later than this after its call carries the time of the call. */
export const CARRY_TIME_AFTER_MS = 1_000;

/** An answer is not read further than this. */
export const MAX_ANSWER_CHARACTERS = 4 * 1_048_576;
